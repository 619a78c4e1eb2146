// EIP-1193 codes, by which apps and libraries tell errors apart.
import { CountersignError } from "../errors.ts";
import { findNotApproved } from "../guard/not-approved.ts";

const userRejected = 4001;
const unsupportedMethod = 4200;
const transactionRejected = -32_003;
const approvable: ReadonlySet<string> = new Set([
  "eth_sendTransaction",
  "eth_signTypedData_v4",
  "wallet_sendCalls",
]);

/**
 * Adds the code to a refusal, and to other errors of a proposal: viem repeats requests that failed without one, and would
 * propose again. Errors of the wallet keep theirs.
 */
export async function explainToApps(method: string, answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    const refusal = findNotApproved(error);
    if (refusal !== undefined)
      throw Object.assign(refusal, { code: approvable.has(method) ? userRejected : unsupportedMethod });
    throw approvable.has(method) ? withCode(error) : error;
  }
}

function withCode(error: unknown): unknown {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "number") return error;
  // Codes of the service are text, and stay readable in the cause.
  if (error instanceof Error && code === undefined)
    return Object.assign(error, { code: transactionRejected });
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new CountersignError(message, { cause: error }), { code: transactionRejected });
}
