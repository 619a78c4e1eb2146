// Examines a recorded proposal before it is checked. Nothing in a payload is trusted unless the request hash binds
// it.
import {
  hashData,
  hashIntent,
  hashPayload,
  hashSealedProposal,
  isFor,
  type Hex,
  type WireDomain,
} from "@countersign/wire";
import {
  hashContent,
  isWhole,
  payloadIn,
  readContent,
  readEnvelope,
  type Content,
  type Envelope,
  type WholeContent,
} from "@countersign/wire/envelope";
import { nothingBound, type Bound } from "./bound.ts";

/** A sender who encrypts wants only the verification service to read it. */
export type Privacy = "for the owner" | "encrypted by the sender";

export type Examined =
  | { readonly kind: "sound"; readonly content: Content; readonly bound: Bound; readonly privacy: Privacy }
  /** It can never be approved. The reason quotes nothing of it. */
  | { readonly kind: "invalid"; readonly reason: string; readonly bound: Bound; readonly privacy: Privacy };

type Named = { readonly domain: WireDomain; readonly requestHash: Hex };

const invalid = (reason: string, privacy: Privacy, bound: Bound = nothingBound): Examined => ({
  kind: "invalid",
  reason,
  bound,
  privacy,
});

/** The exact hash that would be signed is recomputed here: nothing that came with the content names it. */
const signedBy = (content: Content) =>
  content.version === 1
    ? { to: content.to, value: BigInt(content.value), dataHash: hashData(content.data) }
    : { shape: content.shape, signingHash: hashPayload(payloadIn(content)) };

const boundBy = (content: Content, deadline: number): Bound => ({
  escrow: content.escrow,
  chainId: content.chainId,
  ...signedBy(content),
  intentHash: hashIntent(content.userPrompt),
  deadline,
});

/** Examines a content that was not encrypted, or is decrypted: it is the proposal if its hash is the request hash. */
export function examineContent({ domain, requestHash }: Named, content: WholeContent): Examined {
  if (hashContent(domain, content) !== requestHash)
    return invalid("The content does not match this request hash.", "for the owner");
  if (!isForItsProposal(content))
    return invalid(otherOrigin, "for the owner", boundBy(content, content.deadline));
  return { kind: "sound", content, bound: boundBy(content, content.deadline), privacy: "for the owner" };
}

type Opening = Named & { readonly unseal: (ciphertext: string) => Promise<string | undefined> };

/** Examines the payload that the chain names. A permanent failure is part of the result; this never throws. */
export async function examineEnvelope(opening: Opening, bytes: Uint8Array): Promise<Examined> {
  const envelope = readEnvelope(bytes);
  if (envelope === undefined)
    return invalid("The recorded payload is not an encrypted proposal of a known form.", "for the owner");
  return envelope.form === "sealed"
    ? examineSealed(opening, envelope)
    : examineStandard(opening, envelope.ciphertext);
}

const unreadable =
  "The encrypted content cannot be read: it cannot be decrypted with this service's key, or is not a proposal.";

async function examineStandard({ unseal, ...named }: Opening, ciphertext: string): Promise<Examined> {
  const content = await open(unseal, ciphertext);
  if (content === undefined) return invalid(unreadable, "for the owner");
  if (!isWhole(content))
    return invalid("The encrypted content lacks an execution type, a deadline or a salt.", "for the owner");
  return examineContent(named, content);
}

type SealedEnvelope = Extract<Envelope, { form: "sealed" }>;

/** The request hash binds the envelope, and the envelope the content. Their common values must agree. */
async function examineSealed(
  { domain, requestHash, unseal }: Opening,
  envelope: SealedEnvelope,
): Promise<Examined> {
  const privacy = "encrypted by the sender";
  if (hashSealedProposal(domain, envelope) !== requestHash)
    return invalid("The envelope does not match this request hash.", privacy);
  const { escrow, chainId, deadline } = envelope;
  const outside = { ...nothingBound, escrow, chainId, deadline };
  const content = await open(unseal, envelope.ciphertext);
  if (content === undefined) return invalid(unreadable, privacy, outside);
  if (!agrees(content, envelope))
    return invalid("The encrypted content contradicts the envelope around it.", privacy, outside);
  if (!isForItsProposal(content)) return invalid(otherOrigin, privacy, boundBy(content, deadline));
  return { kind: "sound", content, bound: boundBy(content, deadline), privacy };
}

const otherOrigin = "The data to sign is for another chain or account than the proposal.";

/** The sender may have encrypted it, so that the main service could not compare them. */
const isForItsProposal = (content: Content): boolean =>
  content.version === 1 || isFor(payloadIn(content), content);

const repeated = ["executionType", "deadline", "salt"] as const;

const agrees = (content: Content, envelope: SealedEnvelope): boolean =>
  content.escrow === envelope.escrow &&
  content.chainId === envelope.chainId &&
  repeated.every((name) => content[name] === undefined || content[name] === envelope[name]);

async function open(unseal: Opening["unseal"], ciphertext: string): Promise<Content | undefined> {
  const text = await unseal(ciphertext);
  return text === undefined ? undefined : readContent(text);
}
