// One step, from the request hash to the posted verdict. It is not split, because its parts pass the proposal to each
// other, and that must not reach the journal. It may run again, also concurrently.
import type { Clock } from "@countersign/platform/clock";
import { crashPoint } from "@countersign/platform/crash";
import type { Log } from "@countersign/platform/log";
import { annotateSpan, inSpan } from "@countersign/platform/trace";
import {
  hashVerdict,
  recoverAttestationSigner,
  verdictOf,
  type Attestation,
  type Decision,
  type Hex,
} from "@countersign/wire";
import { Unavailable } from "../adapters/http/index.ts";
import type { InboxEntry } from "../adapters/inbox/index.ts";
import type { PostedVerdict, RecordClient, Standing } from "../adapters/record/index.ts";
import type { Bound } from "./bound.ts";
import type { Examined } from "./examine.ts";
import { findProposal, type FindParts } from "./find-proposal.ts";
import { refuse, type FormOpinion, type Opinion } from "./opinion.ts";

/** The journalled result. */
export type Outcome = {
  /**
   * `posted`: our verdict is there. `decided`: another was there first. `refused`: none is wanted any more.
   * `abandoned`: it failed for so long that the main service no longer waits for it.
   */
  readonly outcome: "posted" | "decided" | "refused" | "abandoned";
  readonly decision?: Decision;
  readonly verdictHash?: Hex;
};

export type VerifyParts = FindParts & {
  readonly record: Pick<RecordClient, "readStanding" | "postVerdict">;
  readonly formOpinion: FormOpinion;
  readonly forget: (requestHash: Hex) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** The main service records UNDECIDED on its own long before. */
export const patienceMs = 60 * 60 * 1000;
/** The validity of a verdict whose proposal has no deadline. */
const defaultValiditySeconds = 24 * 60 * 60;
/**
 * The main service accepts verdicts of 1 MB, with some room for the rest. A longer report is still bound by
 * its hash.
 */
const maxReportBytes = 900 * 1024;

async function makeAttestation(
  { domain, keys, clock }: VerifyParts,
  { requestHash, bound, opinion }: { requestHash: Hex; bound: Bound; opinion: Opinion },
): Promise<Attestation> {
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  const { deadline, ...repeated } = bound;
  return keys().signer.signVerdict(domain, {
    requestHash,
    ...repeated,
    decision: opinion.decision,
    reportHash: opinion.reportHash,
    issuedAt,
    validUntil: deadline ?? issuedAt + defaultValiditySeconds,
  });
}

/** The report reveals the proposal, so it stays here if the sender encrypted it. */
const mayShow = ({ report }: Opinion, { kind, privacy }: Examined): boolean =>
  (kind === "invalid" || privacy !== "encrypted by the sender") &&
  Buffer.byteLength(JSON.stringify(report)) <= maxReportBytes;

/** Both together must fit into one request. The report comes first. */
function evidenceOf({ report, bundle }: Opinion): Pick<PostedVerdict, "report" | "bundle"> {
  const text = bundle?.toString("base64");
  const size = Buffer.byteLength(JSON.stringify(report)) + (text?.length ?? 0);
  return { report, ...(text === undefined || size > maxReportBytes ? {} : { bundle: text }) };
}

const outcomeOf = ({ domain }: VerifyParts, { verdict }: Attestation): Outcome => ({
  outcome: "posted",
  decision: verdict.decision,
  verdictHash: hashVerdict(domain, verdictOf(verdict)),
});

/** Returns the verdict about this request that our own key signed, whatever signer it names. */
async function findOwn(
  { domain, keys }: VerifyParts,
  requestHash: Hex,
  { attestations }: Extract<Standing, { kind: "decided" }>,
): Promise<Attestation | undefined> {
  for (const attestation of attestations) {
    const isHome =
      attestation.domain.chainId === domain.chainId &&
      attestation.domain.verifyingContract === domain.inbox.toLowerCase();
    if (!isHome || attestation.verdict.requestHash !== requestHash) continue;
    const signer = await recoverAttestationSigner(attestation).catch(() => undefined);
    if (signer === keys().signer.address) return attestation;
  }
  return undefined;
}

/** Facts about a proposal that the caller has read already. */
type Given = {
  readonly standing?: Standing;
  /** Its entry on the chain. */
  readonly entry?: InboxEntry;
};

/** After a crash between posting and recording it, the existing verdict is the one we made. */
async function readBack(
  parts: VerifyParts,
  requestHash: Hex,
  given?: Standing,
): Promise<Outcome | undefined> {
  const standing = given ?? (await parts.record.readStanding(requestHash));
  if (standing.kind === "unknown") throw new Unavailable("the main service does not know this request yet");
  if (standing.kind === "open") return undefined;
  const own = await findOwn(parts, requestHash, standing);
  return own === undefined ? { outcome: "decided" } : outcomeOf(parts, own);
}

async function attempt(parts: VerifyParts, requestHash: Hex, given: Given): Promise<Outcome> {
  const { standing, entry } = given;
  const already = await readBack(parts, requestHash, standing);
  if (already !== undefined) return already;
  const executed = standing?.kind === "open" ? standing.executed : undefined;
  const examined = await inSpan("find the proposal", {}, () => findProposal(parts, requestHash, entry));
  const opinion =
    examined.kind === "invalid"
      ? refuse(examined.reason)
      : await inSpan("form an opinion", {}, () => parts.formOpinion(requestHash, examined, executed));
  annotateSpan({ "countersign.decision": opinion.decision });
  const attestation = await inSpan("sign the verdict", {}, () =>
    makeAttestation(parts, { requestHash, bound: examined.bound, opinion }),
  );
  const { decision, confidence, analysis } = opinion;
  const verdict: PostedVerdict = {
    decision,
    confidence,
    analysis,
    requestHash,
    attestation,
    ...(mayShow(opinion, examined) ? evidenceOf(opinion) : {}),
  };
  crashPoint("verdict: before post");
  const answer = await parts.record.postVerdict(verdict);
  crashPoint("verdict: after post");
  if (answer === "posted") return outcomeOf(parts, attestation);
  return (await readBack(parts, requestHash)) ?? { outcome: "refused" };
}

/** A foreign error may quote the proposal, and its message would go to the log and the journal. */
function withoutWords(error: unknown, log: Log, key: Hex): Error {
  if (error instanceof Unavailable) return error;
  const name = error instanceof Error ? error.name : "something else";
  const place = error instanceof Error ? /\n\s+at (.+)/.exec(error.stack ?? "")?.[1] : undefined;
  log.error("verification failed", { key, reason: `${name} at ${place ?? "an unknown place"}` });
  return new Unavailable(`verification failed (${name})`);
}

export type VerifyAndPost = (requestHash: Hex, since: number, given?: Given) => Promise<Outcome>;

/** `since` is when the request was first seen, in milliseconds. Throws `Unavailable` for what may still come. */
export function makeVerifyAndPost(parts: VerifyParts): VerifyAndPost {
  const { clock, log, forget } = parts;
  return async (requestHash, since, given = {}) => {
    try {
      const outcome = await attempt(parts, requestHash, given);
      forget(requestHash);
      const about = { key: requestHash, status: outcome.outcome, reason: outcome.decision ?? "" };
      if (outcome.outcome === "refused") log.warn("the main service does not accept the verdict", about);
      else log.info("verification finished", about);
      return outcome;
    } catch (error) {
      const told = withoutWords(error, log, requestHash);
      if (clock.now().getTime() - since < patienceMs) {
        log.info("not verified yet, retrying", { key: requestHash, reason: told.message });
        throw told;
      }
      log.warn("given up", { key: requestHash, reason: told.message });
      forget(requestHash);
      return { outcome: "abandoned" };
    }
  };
}
