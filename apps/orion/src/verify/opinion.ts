// What the verdict will say, before it is signed.
import type { Clock } from "@countersign/platform/clock";
import { hashReport, type Decision, type Hex } from "@countersign/wire";
import { Unavailable } from "../adapters/http/index.ts";
import type { RecordClient } from "../adapters/record/index.ts";
import type { Judgement, Validator, ValidatorQuestion } from "../adapters/validator/index.ts";
import { analyse, plainText } from "./analysis.ts";
import { counterpartiesOf } from "./counterparties.ts";
import { decide } from "./decide.ts";
import type { Examined } from "./examine.ts";
import { isSignedByAccount } from "./intent-signature.ts";

export type Opinion = {
  readonly decision: Decision;
  readonly confidence: number;
  readonly analysis: string;
  readonly report: unknown;
  readonly reportHash: Hex;
};

type Sound = Extract<Examined, { kind: "sound" }>;

export type OpinionParts = {
  readonly record: Pick<RecordClient, "listExecuted">;
  readonly validator: Pick<Validator, "judge">;
  readonly clock: Clock;
  /** How long the validator may be away before the verdict is made without it. */
  readonly giveUpMs: number;
};

/** A verdict that the validator was not asked about, or could not be. Its report says so, so that it has a hash as well. */
function ownOpinion(
  decision: Decision,
  outcome: "invalid" | "gave-up" | "malformed",
  reason: string,
): Opinion {
  const report = { source: "orion", outcome, reason };
  return {
    decision,
    // That it is invalid is certain; what nobody looked at is not known at all.
    confidence: outcome === "invalid" ? 1 : 0,
    analysis: plainText([reason]),
    report,
    reportHash: hashReport(report),
  };
}

export const refuse = (reason: string): Opinion => ownOpinion("REJECTED", "invalid", reason);

const secondsOf = (clock: Clock): number => Math.floor(clock.now().getTime() / 1000);

async function questionOf({ record, clock }: OpinionParts, { content }: Sound): Promise<ValidatorQuestion> {
  const { escrow, chainId, to, value, data, userPrompt } = content;
  const counterparties = counterpartiesOf(await record.listExecuted(escrow));
  return {
    human_intent: userPrompt,
    proposed_tx: { to, value, data, chainId },
    metadata: {
      from: escrow,
      chain_id: chainId,
      now: secondsOf(clock),
      ...(counterparties.length === 0 ? {} : { recent_counterparties: counterparties }),
    },
  };
}

async function opinionOf(judgement: Judgement, { content, privacy }: Sound, clock: Clock): Promise<Opinion> {
  if (judgement.kind === "malformed") {
    const detail = privacy === "sealed by the sender" ? "" : judgement.detail;
    return ownOpinion(
      "UNDECIDED",
      "malformed",
      plainText([`The validator could not read the request. ${detail}`]),
    );
  }
  const { report, whole, reportHash } = judgement;
  const { decision, confidence } = decide(report);
  const isSigned = await isSignedByAccount(content, secondsOf(clock));
  const analysis = analyse({ report, decision, privacy, isSignedByAccount: isSigned });
  return { decision, confidence, analysis, report: whole, reportHash };
}

export type FormOpinion = (requestHash: Hex, sound: Sound) => Promise<Opinion>;

/**
 * Asks the validator. While it is away this throws, to be asked again; when it has been away too long for this request, the
 * verdict is UNDECIDED. Since when is remembered here only: a restart grants it the time anew.
 */
export function makeFormOpinion(parts: OpinionParts): FormOpinion {
  const { validator, clock, giveUpMs } = parts;
  const awaySince = new Map<Hex, number>();
  return async (requestHash, sound) => {
    const question = await questionOf(parts, sound);
    try {
      const judgement = await validator.judge(question);
      awaySince.delete(requestHash);
      return await opinionOf(judgement, sound, clock);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const now = clock.now().getTime();
      const since = awaySince.get(requestHash) ?? now;
      awaySince.set(requestHash, since);
      if (now - since < giveUpMs) throw error;
      awaySince.delete(requestHash);
      return ownOpinion("UNDECIDED", "gave-up", "The validator could not be asked.");
    }
  };
}
