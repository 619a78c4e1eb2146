// One step, from the request hash to the posted verdict. It is not cut into smaller ones, because what passes between
// them is the proposal itself, and that must not reach the journal. It may run again, and beside itself.
import type { Clock } from "@countersign/platform/clock";
import { crashPoint } from "@countersign/platform/crash";
import type { Log } from "@countersign/platform/log";
import {
  hashVerdict,
  recoverAttestationSigner,
  type Attestation,
  type Decision,
  type Hex,
} from "@countersign/wire";
import { Unavailable } from "../adapters/http/index.ts";
import type { PostedVerdict, RecordClient, Standing } from "../adapters/record/index.ts";
import type { Bound } from "./bound.ts";
import type { Examined } from "./examine.ts";
import { findProposal, type FindParts } from "./find-proposal.ts";
import { refuse, type FormOpinion, type Opinion } from "./opinion.ts";

/** What the journal learns. */
type Outcome = {
  /**
   * `posted`: our verdict is there. `judged`: another was there first. `refused`: it is not wanted any more. `abandoned`: it
   * could not be made for so long that nobody waits for it.
   */
  readonly outcome: "posted" | "judged" | "refused" | "abandoned";
  readonly decision?: Decision;
  readonly verdictHash?: Hex;
};

export type JudgeParts = FindParts & {
  readonly record: Pick<RecordClient, "readStanding" | "postVerdict">;
  readonly formOpinion: FormOpinion;
  readonly forget: (requestHash: Hex) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** The main service records UNDECIDED by itself long before. */
const patienceMs = 60 * 60 * 1000;
/** How long a verdict counts whose proposal says nothing of it. */
const defaultValiditySeconds = 24 * 60 * 60;
/** The main service takes verdicts of 1 MB, with some room for the rest of it. A longer report is still bound by its hash. */
const maxReportBytes = 900 * 1024;

async function makeAttestation(
  { domain, keys, clock }: JudgeParts,
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

/** The report tells what the proposal was, so it stays here when the sender wanted nobody else to know. */
const mayShow = ({ report }: Opinion, { kind, privacy }: Examined): boolean =>
  (kind === "invalid" || privacy !== "sealed by the sender") &&
  Buffer.byteLength(JSON.stringify(report)) <= maxReportBytes;

const outcomeOf = ({ domain }: JudgeParts, { verdict }: Attestation): Outcome => ({
  outcome: "posted",
  decision: verdict.decision,
  verdictHash: hashVerdict(domain, { ...verdict, value: BigInt(verdict.value) }),
});

/** The verdict about this request among them that our own key signed, whoever is named as its signer. */
async function findOwn(
  { domain, keys }: JudgeParts,
  requestHash: Hex,
  { attestations }: Extract<Standing, { kind: "judged" }>,
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

/** After a crash between posting and remembering it, the verdict that is there is the one we made. */
async function readBack(parts: JudgeParts, requestHash: Hex): Promise<Outcome | undefined> {
  const standing = await parts.record.readStanding(requestHash);
  if (standing.kind === "unknown") throw new Unavailable("the main service does not know this request yet");
  if (standing.kind === "open") return undefined;
  const own = await findOwn(parts, requestHash, standing);
  return own === undefined ? { outcome: "judged" } : outcomeOf(parts, own);
}

async function attempt(parts: JudgeParts, requestHash: Hex): Promise<Outcome> {
  const already = await readBack(parts, requestHash);
  if (already !== undefined) return already;
  const examined = await findProposal(parts, requestHash);
  const opinion =
    examined.kind === "invalid" ? refuse(examined.reason) : await parts.formOpinion(requestHash, examined);
  const attestation = await makeAttestation(parts, { requestHash, bound: examined.bound, opinion });
  const { decision, confidence, analysis, report } = opinion;
  const verdict: PostedVerdict = {
    decision,
    confidence,
    analysis,
    requestHash,
    attestation,
    ...(mayShow(opinion, examined) ? { report } : {}),
  };
  crashPoint("verdict: before post");
  const answer = await parts.record.postVerdict(verdict);
  crashPoint("verdict: after post");
  if (answer === "posted") return outcomeOf(parts, attestation);
  return (await readBack(parts, requestHash)) ?? { outcome: "refused" };
}

/** An error we did not write may quote the proposal, and its message would go to the log and the journal. */
function withoutWords(error: unknown, log: Log, key: Hex): Error {
  if (error instanceof Unavailable) return error;
  const name = error instanceof Error ? error.name : "something else";
  const place = error instanceof Error ? /\n\s+at (.+)/.exec(error.stack ?? "")?.[1] : undefined;
  log.error("judging failed", { key, reason: `${name} at ${place ?? "an unknown place"}` });
  return new Unavailable(`judging failed (${name})`);
}

export type Judge = (requestHash: Hex, since: number) => Promise<Outcome>;

/** `since` is when the request was first looked at, in milliseconds. Throws `Unavailable` for what may come yet. */
export function makeJudge(parts: JudgeParts): Judge {
  const { clock, log, forget } = parts;
  return async (requestHash, since) => {
    try {
      const outcome = await attempt(parts, requestHash);
      forget(requestHash);
      const about = { key: requestHash, status: outcome.outcome, reason: outcome.decision ?? "" };
      if (outcome.outcome === "refused") log.warn("the main service does not take the verdict", about);
      else log.info("judged", about);
      return outcome;
    } catch (error) {
      const told = withoutWords(error, log, requestHash);
      if (clock.now().getTime() - since < patienceMs) {
        log.info("not judged yet", { key: requestHash, reason: told.message });
        throw told;
      }
      log.warn("given up", { key: requestHash, reason: told.message });
      forget(requestHash);
      return { outcome: "abandoned" };
    }
  };
}
