// Calls the validator without a proposal. Neither request nor answer is stored.
import { readAtMost } from "../read-at-most.ts";
import { Report } from "./report.ts";

type Hex = `0x${string}`;

export type Question = {
  readonly intent: string;
  readonly tx: { readonly to: Hex; readonly value: string; readonly data: Hex };
  /** If absent, the validator assumes a chain and reports that. */
  readonly chainId?: number | undefined;
  /** The signer. Without it some checks are skipped. */
  readonly from?: Hex | undefined;
};

/** The validator has no capacity for another public request right now. */
export class ValidatorBusy extends Error {
  override readonly name = "ValidatorBusy";
}

export type Validator = {
  /** Throws if the validator is down, slow, or does not answer with a report; `ValidatorBusy` if it has no capacity. */
  readonly check: (question: Question) => Promise<Report>;
};

type Options = { readonly url: string; readonly timeoutMs?: number };

/** Many times the longest expected answer. */
const longest = 4 * 1024 * 1024;

/** Calls the validator's public route, which has separate workers. One deadline covers the whole answer. */
export function makeValidator({ url, timeoutMs = 10_000 }: Options): Validator {
  const address = `${url.replace(/\/+$/, "")}/public/validate`;
  return {
    check: async (question) => {
      // A library's error may contain the URL or the request, so none of it is passed on.
      const text = await exchange(address, bodyOf(question), timeoutMs).catch(() => undefined);
      if (text === busy) throw new ValidatorBusy("the validator is busy");
      if (text === undefined) throw new Error("the validator did not answer in time");
      const report = Report.safeParse(parseJson(text)).data;
      if (report === undefined) throw new Error("the validator did not answer with a report");
      return report;
    },
  };
}

const bodyOf = ({ intent, tx, chainId, from }: Question): string =>
  JSON.stringify({
    human_intent: intent,
    proposed_tx: { ...tx, chainId },
    metadata: { from, chain_id: chainId },
  });

const busy = Symbol("busy");

async function exchange(
  address: string,
  body: string,
  timeoutMs: number,
): Promise<string | typeof busy | undefined> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status === 200) return (await readAtMost(response.body, longest))?.toString("utf8");
  await response.body?.cancel();
  return response.status === 503 ? busy : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
