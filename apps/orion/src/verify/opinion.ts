// Forms the content of the verdict before it is signed.
import type { Clock } from "@countersign/platform/clock";
import { hashReport, safeTypedData, type Decision, type Hex } from "@countersign/wire";
import { userOperationCall } from "@countersign/wire/signed-calls";
import { Unavailable } from "../adapters/http/index.ts";
import type { ExecutedCall, RecordClient } from "../adapters/record/index.ts";
import type { ValidatorAnswer, Validator, ValidatorQuestion } from "../adapters/validator/index.ts";
import { analyse, plainText } from "./analysis.ts";
import { bundleOf } from "./bundle.ts";
import { counterpartiesOf } from "./counterparties.ts";
import { decide } from "./decide.ts";
import type { Examined } from "./examine.ts";
import { isSignedByAccount } from "./intent-signature.ts";
import { stateOf, type StateParts } from "./state.ts";

export type Opinion = {
  readonly decision: Decision;
  readonly confidence: number;
  readonly analysis: string;
  readonly report: unknown;
  readonly reportHash: Hex;
  /** The request that the validator answered, gzipped. Undefined if the report does not name it. */
  readonly bundle?: Buffer;
};

type Sound = Extract<Examined, { kind: "sound" }>;

export type OpinionParts = StateParts & {
  readonly record: Pick<RecordClient, "listExecuted">;
  readonly validator: Pick<Validator, "check">;
  readonly clock: Clock;
  /** How long the validator may be down before the verdict is made without it. */
  readonly giveUpMs: number;
};

/** A verdict without the validator's answer. Its report says so, so that it has a hash as well. */
function ownOpinion(
  decision: Decision,
  outcome: "invalid" | "gave-up" | "malformed",
  reason: string,
): Opinion {
  const report = { source: "orion", outcome, reason };
  return {
    decision,
    // That it is invalid is certain. About an unchecked proposal nothing is known.
    confidence: outcome === "invalid" ? 1 : 0,
    analysis: plainText([reason]),
    report,
    reportHash: hashReport(report),
  };
}

export const refuse = (reason: string): Opinion => ownOpinion("REJECTED", "invalid", reason);

const secondsOf = (clock: Clock): number => Math.floor(clock.now().getTime() / 1000);

function proposedOf(content: Sound["content"]): ValidatorQuestion["proposed_tx"] {
  const { chainId } = content;
  if (content.version === 1) return { to: content.to, value: content.value, data: content.data, chainId };
  switch (content.shape) {
    case "typedData":
      return { order: content.typedData, chainId };
    case "calls":
      return { transactions: content.calls.calls, chainId };
    case "safeTransaction":
      return { order: safeTypedData(content.safeTransaction), chainId };
    case "message":
      return { personal_message: content.message, chainId };
    case "authorizationList":
      return { authorizationList: content.authorizationList, chainId };
    case "userOperation":
      return { ...userOperationCall(content.userOperation), value: "0", chainId };
  }
}

async function questionOf(
  parts: OpinionParts,
  sound: Sound,
  executed: readonly ExecutedCall[] | undefined,
): Promise<ValidatorQuestion> {
  const { record, clock } = parts;
  const { escrow, chainId, userPrompt } = sound.content;
  const counterparties = counterpartiesOf(executed ?? (await record.listExecuted(escrow)));
  const { state, secondEngine } = (await stateOf(parts, sound)) ?? {};
  return {
    human_intent: userPrompt,
    proposed_tx: proposedOf(sound.content),
    metadata: {
      from: escrow,
      chain_id: chainId,
      now: secondsOf(clock),
      ...(counterparties.length === 0 ? {} : { recent_counterparties: counterparties }),
      ...(state === undefined ? {} : { state }),
      ...(secondEngine === undefined ? {} : { second_engine: secondEngine }),
    },
  };
}

type Answered = { readonly sound: Sound; readonly question: ValidatorQuestion; readonly clock: Clock };

async function opinionOf(
  answer: ValidatorAnswer,
  { sound: { content, privacy }, question, clock }: Answered,
): Promise<Opinion> {
  if (answer.kind === "malformed") {
    const detail = privacy === "encrypted by the sender" ? "" : answer.detail;
    return ownOpinion(
      "UNDECIDED",
      "malformed",
      plainText([`The validator could not read the request. ${detail}`]),
    );
  }
  const { report, whole, reportHash } = answer;
  const { decision, confidence } = decide(report);
  const isSigned = await isSignedByAccount(content, secondsOf(clock));
  const analysis = analyse({ report, decision, privacy, isSignedByAccount: isSigned });
  const bundle = bundleOf(question, whole);
  return { decision, confidence, analysis, report: whole, reportHash, ...(bundle && { bundle }) };
}

/** `executed`: the calls that the account has executed, if they are known. */
export type FormOpinion = (
  requestHash: Hex,
  sound: Sound,
  executed?: readonly ExecutedCall[],
) => Promise<Opinion>;

/**
 * Asks the validator. While it is down this throws, to be retried; when it has been down too long for this
 * request, the verdict is UNDECIDED. The start of the outage is kept in memory: a restart resets it.
 */
export function makeFormOpinion(parts: OpinionParts): FormOpinion {
  const { validator, clock, giveUpMs } = parts;
  const awaySince = new Map<Hex, number>();
  return async (requestHash, sound, executed) => {
    const question = await questionOf(parts, sound, executed);
    try {
      const answer = await validator.check(question);
      awaySince.delete(requestHash);
      return await opinionOf(answer, { sound, question, clock });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const now = clock.now().getTime();
      const since = awaySince.get(requestHash) ?? now;
      awaySince.set(requestHash, since);
      if (now - since < giveUpMs) throw error;
      awaySince.delete(requestHash);
      return ownOpinion("UNDECIDED", "gave-up", "The validator did not answer.");
    }
  };
}
