// Recognises a request that was proposed before: by the call, and by the effects, which are the same if an agent
// builds the same payment again with another deadline or route.
import { hashData, hashIntent, readAttestation } from "@countersign/wire";
import { z } from "zod";
import { sha256 } from "../../platform/sha256.ts";
import type { Transaction } from "../transaction.ts";

/** The hashes by which two uses of a request are compared. */
export type RequestUse = {
  readonly byCall: Buffer;
  /** Null if the report has no effects that could be compared. */
  readonly byEffects: Buffer | null;
};

const Asset = z.object({
  kind: z.string(),
  address: z.string().optional(),
  id: z.string().nullish(),
  most: z.string(),
});

/** The members of an effect in the validator's report that say what leaves, and for whom. */
const Effect = z.object({
  act: z.string(),
  payer: z.string(),
  receiver: z.string().nullable(),
  gives: z.array(Asset),
  authority: z
    .object({
      spender: z.string(),
      asset: Asset.omit({ most: true }).nullable(),
      most: z.string().optional(),
    })
    .nullable(),
  to_chain: z.number().nullable(),
});
const Effects = z.array(Effect).min(1);
type Effect = z.infer<typeof Effect>;

type NamedAsset = Omit<z.infer<typeof Asset>, "most">;

const writtenAsset = (asset: NamedAsset | null, most: string | undefined): unknown => [
  asset?.kind ?? null,
  asset?.address ?? null,
  asset?.id ?? null,
  most ?? null,
];

/** Leaves out the output, the venue, deadlines and positions: they differ between two quotes of one swap. */
const writtenEffect = ({ act, payer, receiver, gives, authority, to_chain: toChain }: Effect): string =>
  JSON.stringify([
    ...[act, payer, receiver, toChain],
    gives.map((flow) => writtenAsset(flow, flow.most)),
    authority && [authority.spender, writtenAsset(authority.asset, authority.most)],
  ]);

const isReadable = ({ act }: Effect): boolean => act !== "opaque" && act !== "deploy";

/** The same request, also with other capitals, spaces and marks at its end. */
const plainText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/[\s.!?]+$/u, "")
    .trimStart();

function hashEffects({ description, chainId }: Transaction, effects: unknown): Buffer | null {
  const read = Effects.safeParse(effects);
  if (!read.success || !read.data.every(isReadable)) return null;
  return sha256(JSON.stringify([plainText(description), chainId, read.data.map(writtenEffect).sort()]));
}

/** The intent's hash, and what would be signed: to, value and data hash, or shape and signing hash. */
type Called = readonly string[];

/** Only the verification service has read what the sender encrypted, so its signed verdict names the call. */
function callOf(transaction: Transaction, attestation: unknown): Called | undefined {
  if (transaction.form !== "sealed") return openCallOf(transaction);
  const verdict = readAttestation(attestation)?.verdict;
  if (verdict === undefined) return undefined;
  return "shape" in verdict
    ? [verdict.intentHash, verdict.shape, verdict.signingHash]
    : [verdict.intentHash, verdict.to, verdict.value, verdict.dataHash];
}

function openCallOf({ tx, shape, signingHash, description }: Transaction): Called | undefined {
  if (tx !== null) return [hashIntent(description), tx.to, tx.value.toString(), hashData(tx.data)];
  return shape === null || signingHash === null ? undefined : [hashIntent(description), shape, signingHash];
}

/** The verdict of a transaction: its signed form, and the effects in its report. */
export type VerdictFacts = { readonly attestation: unknown; readonly effects: unknown };

/** Returns undefined if neither the request nor the call is known, so that nothing can be compared. */
export function requestUseOf(transaction: Transaction, facts: VerdictFacts): RequestUse | undefined {
  const call = callOf(transaction, facts.attestation);
  if (call === undefined) return undefined;
  const byCall = sha256(JSON.stringify([transaction.chainId, ...call]));
  const byEffects = transaction.form === "sealed" ? null : hashEffects(transaction, facts.effects);
  return { byCall, byEffects };
}
