// Reads the proposal of a receipt. Each member has one canonical form: a second form would allow two receipts for the
// same hash.
import { hashProposal, hashSealedProposal, type ExecutionType } from "@countersign/wire/receipt";
import type { Hex, Receipt } from "../types.ts";
import type { SignedPayload } from "./read-payload.ts";

type Proposal = Receipt["proposal"];
type Home = { readonly chainId: number; readonly inbox: Hex };

const isHex = (value: unknown, bytes: number): value is Hex =>
  typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value);

const isAmount = (value: unknown): value is string =>
  typeof value === "string" && /^(0|[1-9][0-9]{0,77})$/.test(value);

export const isSealed = ({ ciphertext }: Proposal): boolean => ciphertext !== null;

/** The members of a transaction and of an encrypted proposal, and those that every proposal has. */
const common = new Set(
  "escrow chainId to value data userPrompt ciphertext executionType deadline salt shape signingHash".split(
    " ",
  ),
);

/** Returns what is to be signed, of a proposal of version 2. Throws as `readPayload` does, which is loaded only for that version. */
export async function payloadOf(proposal: Partial<Proposal>): Promise<SignedPayload | undefined> {
  const hasMore = Object.entries(proposal).some(
    ([name, value]) => !common.has(name) && (value ?? null) !== null,
  );
  return hasMore ? (await import("./read-payload.ts")).readPayload(proposal) : undefined;
}

/** Returns the request hash, or undefined for a malformed proposal. */
export function hashOf(
  proposal: Proposal,
  { chainId, inbox }: Home,
  payload: SignedPayload | undefined,
): Hex | undefined {
  const terms = termsOf(proposal);
  if (terms === undefined) return undefined;
  const domain = { chainId, inbox };
  const { to, value, data, userPrompt, ciphertext } = proposal;
  try {
    if (ciphertext !== null) {
      // Reject plaintext members next to a ciphertext, because no hash covers them.
      const isBare =
        payload === undefined && [to, value, data, userPrompt].every((member) => member === null);
      return isBare ? hashSealedProposal(domain, { ...terms, ciphertext }) : undefined;
    }
    if (payload !== undefined) {
      const isAlone = [to, value, data].every((member) => member === null);
      return isAlone && userPrompt !== null
        ? payload.requestHash(domain, { ...terms, userPrompt })
        : undefined;
    }
    if (!isHex(to, 20) || !isAmount(value) || userPrompt === null) return undefined;
    return hashProposal(domain, { ...terms, to, value: BigInt(value), data: data as Hex, userPrompt });
  } catch {
    return undefined;
  }
}

function termsOf({ escrow, chainId, executionType, deadline, salt }: Proposal) {
  const isForm = isHex(escrow, 20) && isHex(salt, 32) && [0, 1, 2].includes(executionType);
  return isForm
    ? { escrow, chainId, executionType: executionType as ExecutionType, deadline, salt }
    : undefined;
}
