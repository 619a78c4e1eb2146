// From what was recorded to what is to be judged. Nothing a payload says is believed unless the request hash binds it.
import {
  hashData,
  hashIntent,
  hashProposal,
  hashSealedProposal,
  type Hex,
  type WireDomain,
} from "@countersign/wire";
import {
  isWhole,
  proposalOf,
  readContent,
  readEnvelope,
  type Content,
  type Envelope,
  type WholeContent,
} from "@countersign/wire/envelope";
import { nothingBound, type Bound } from "./bound.ts";

/** A sender who sealed it themselves wants nobody but the arbiter to read it. */
export type Privacy = "for the owner" | "sealed by the sender";

export type Examined =
  | { readonly kind: "sound"; readonly content: Content; readonly bound: Bound; readonly privacy: Privacy }
  /** It can never be approved, whatever is in it. The reason quotes nothing of it. */
  | { readonly kind: "invalid"; readonly reason: string; readonly bound: Bound; readonly privacy: Privacy };

type Named = { readonly domain: WireDomain; readonly requestHash: Hex };

const invalid = (reason: string, privacy: Privacy, bound: Bound = nothingBound): Examined => ({
  kind: "invalid",
  reason,
  bound,
  privacy,
});

const boundBy = (content: Content, deadline: number): Bound => ({
  escrow: content.escrow,
  chainId: content.chainId,
  to: content.to,
  value: BigInt(content.value),
  dataHash: hashData(content.data),
  intentHash: hashIntent(content.userPrompt),
  deadline,
});

/** A content that was not sealed, or is out of its seal: it is the proposal if its hash is the request hash. */
export function examineContent({ domain, requestHash }: Named, content: WholeContent): Examined {
  if (hashProposal(domain, proposalOf(content)) !== requestHash)
    return invalid("The content is not the one that this request hash names.", "for the owner");
  return { kind: "sound", content, bound: boundBy(content, content.deadline), privacy: "for the owner" };
}

type Opening = Named & { readonly unseal: (ciphertext: string) => Promise<string | undefined> };

/** What the chain points at. Reading it can fail for good, and then the answer says so; it never throws. */
export async function examineEnvelope(opening: Opening, bytes: Uint8Array): Promise<Examined> {
  const envelope = readEnvelope(bytes);
  if (envelope === undefined)
    return invalid("What was recorded is not a sealed proposal of a form known here.", "for the owner");
  return envelope.form === "sealed"
    ? examineSealed(opening, envelope)
    : examineStandard(opening, envelope.ciphertext);
}

const unreadable =
  "The sealed content cannot be read: it does not open with this service's key, or is not a proposal.";

async function examineStandard({ unseal, ...named }: Opening, ciphertext: string): Promise<Examined> {
  const content = await open(unseal, ciphertext);
  if (content === undefined) return invalid(unreadable, "for the owner");
  if (!isWhole(content))
    return invalid("The sealed content lacks an execution type, a deadline or a salt.", "for the owner");
  return examineContent(named, content);
}

type SealedEnvelope = Extract<Envelope, { form: "sealed" }>;

/** The request hash binds the envelope, and the envelope the content; what both say must be the same. */
async function examineSealed(
  { domain, requestHash, unseal }: Opening,
  envelope: SealedEnvelope,
): Promise<Examined> {
  const privacy = "sealed by the sender";
  if (hashSealedProposal(domain, envelope) !== requestHash)
    return invalid("The envelope is not the one that this request hash names.", privacy);
  const { escrow, chainId, deadline } = envelope;
  const outside = { ...nothingBound, escrow, chainId, deadline };
  const content = await open(unseal, envelope.ciphertext);
  if (content === undefined) return invalid(unreadable, privacy, outside);
  if (!agrees(content, envelope))
    return invalid("The sealed content says something else than the envelope around it.", privacy, outside);
  return { kind: "sound", content, bound: boundBy(content, deadline), privacy };
}

const repeated = ["executionType", "deadline", "salt"] as const;

const agrees = (content: Content, envelope: SealedEnvelope): boolean =>
  content.escrow === envelope.escrow &&
  content.chainId === envelope.chainId &&
  repeated.every((name) => content[name] === undefined || content[name] === envelope[name]);

async function open(unseal: Opening["unseal"], ciphertext: string): Promise<Content | undefined> {
  const text = await unseal(ciphertext);
  return text === undefined ? undefined : readContent(text);
}
