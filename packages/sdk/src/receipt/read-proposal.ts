// Reads the proposal of a receipt. Each member has one canonical form: a second form would allow two receipts for the
// same hash.
import {
  hashProposal,
  hashReport,
  hashSealedProposal,
  hashShapedProposal,
  parseTypedData,
  type ExecutionType,
  type Payload,
} from "@countersign/wire";
import type { Hex, Receipt } from "../types.ts";

type Proposal = Receipt["proposal"];
type Home = { readonly chainId: number; readonly inbox: Hex };

const isHex = (value: unknown, bytes: number): value is Hex =>
  typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value);

const isAmount = (value: unknown): value is string =>
  typeof value === "string" && /^(0|[1-9][0-9]{0,77})$/.test(value);

export const isSealed = ({ ciphertext }: Proposal): boolean => ciphertext !== null;

/** Returns the request hash, or undefined for a malformed proposal. */
export function hashOf(proposal: Proposal, { chainId, inbox }: Home): Hex | undefined {
  const terms = termsOf(proposal);
  if (terms === undefined) return undefined;
  const domain = { chainId, inbox };
  const { to, value, data, userPrompt, ciphertext } = proposal;
  try {
    const payload = payloadOf(proposal);
    if (ciphertext !== null) {
      // Reject plaintext members next to a ciphertext, because no hash covers them.
      const isBare =
        payload === undefined && [to, value, data, userPrompt].every((member) => member === null);
      return isBare ? hashSealedProposal(domain, { ...terms, ciphertext }) : undefined;
    }
    if (payload !== undefined) {
      const isAlone = [to, value, data].every((member) => member === null);
      return isAlone && userPrompt !== null
        ? hashShapedProposal(domain, { ...terms, payload, userPrompt })
        : undefined;
    }
    if (!isHex(to, 20) || !isAmount(value) || userPrompt === null) return undefined;
    return hashProposal(domain, { ...terms, to, value: BigInt(value), data: data as Hex, userPrompt });
  } catch {
    return undefined;
  }
}

/**
 * Returns the data to sign of a proposal of version 2. Undefined for a transaction: receipts from before version 2 have no
 * such member. Throws on malformed typed data, and on another form of it than the one that the service writes.
 */
export function payloadOf({ typedData }: Partial<Proposal>): Payload | undefined {
  if (typedData === undefined || typedData === null) return undefined;
  const parsed = parseTypedData(typedData);
  if (hashReport(parsed) !== hashReport(typedData)) throw new Error("another form of the same data");
  return { shape: "typedData", typedData: parsed };
}

function termsOf({ escrow, chainId, executionType, deadline, salt }: Proposal) {
  const isForm = isHex(escrow, 20) && isHex(salt, 32) && [0, 1, 2].includes(executionType);
  return isForm
    ? { escrow, chainId, executionType: executionType as ExecutionType, deadline, salt }
    : undefined;
}
