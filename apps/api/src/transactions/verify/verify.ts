// Notifies orion repeatedly until it has answered or the time is up.
import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import type { Log } from "@countersign/platform/log";
import { cidOf } from "@countersign/wire/envelope";
import type { Nudge } from "@countersign/wire/nudge";
import type { Orion } from "../../adapters/orion/index.ts";
import type { FlowSteps } from "../../platform/flows/index.ts";
import type { Transition } from "../transition.ts";
import { isTerminal } from "../lifecycle.ts";
import { contentOf, subjectOf } from "../record/seal.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Trace } from "../record/trace.ts";
import type { Hex } from "../transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "readSealing">;
  readonly transition: Pick<Transition, "change">;
  readonly trace: Pick<Trace, "restore">;
  /** Without one, orion finds proposals on the chain. */
  readonly orion: Orion | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** How long orion has for its verdict. */
  readonly verdictSeconds: number;
  /** The pause between two nudges. */
  readonly nudgeSeconds: number;
};

/** Returns undefined when there is nothing left to send. */
async function nudgeFor({ store }: Parts, requestHash: Hex): Promise<Nudge | undefined> {
  const transaction = await store.find(requestHash);
  if (transaction === undefined || isTerminal(transaction) || transaction.orion !== null) return undefined;
  const { form, contentDigest } = transaction;
  if (form !== "unsealed")
    return { requestHash, ...(contentDigest === null ? {} : { cid: cidOf(contentDigest) }) };
  const extras = (await store.readSealing(requestHash))?.extras ?? {};
  const subject = subjectOf(transaction);
  return subject && { requestHash, unsealed: contentOf({ ...transaction, subject }, extras) };
}

/** A lost nudge is harmless: the next one follows, and orion also watches the chain. */
async function nudge(parts: Parts, requestHash: Hex): Promise<void> {
  const given = await nudgeFor(parts, requestHash);
  if (given === undefined || parts.orion === undefined) return;
  try {
    await parts.orion.nudge(given);
  } catch (error) {
    parts.log.warn("orion was not nudged", { key: requestHash, error });
  }
}

/** Our own, unsigned verdict: it only says that there was none in time. */
async function giveUp({ transition }: Parts, requestHash: Hex): Promise<void> {
  await transition.change({ requestHash }, (current) =>
    current.orion !== null || isTerminal(current)
      ? undefined
      : {
          events: ["verdictUndecided"],
          approval: {
            id: newId(),
            kind: "orion",
            decision: "UNDECIDED",
            type: "orion",
            approver: null,
            apiKeyId: null,
            label: null,
            confidence: 0,
            analysis: "no verdict in time",
            attestation: null,
            reportHash: null,
            verdictSeen: null,
          },
          facts: { verdictAt: "now" },
        },
  );
}

/** Returns when there is a verdict, or the proposal has ended. */
export const makeVerify = (parts: Parts) =>
  async function verify(requestHash: Hex, { step, waitFor }: FlowSteps): Promise<void> {
    const { store, clock, verdictSeconds, nudgeSeconds } = parts;
    const begun = await step("asked for a verdict", async () => clock.now().getTime());
    const end = begun + verdictSeconds * 1000;
    const readVerdict = async (): Promise<true | undefined> => {
      const found = await store.find(requestHash);
      if (found === undefined) return true;
      return found.orion !== null || isTerminal(found) ? true : undefined;
    };
    for (let round = 1, until = begun; until < end; round++) {
      if (round > 1) await parts.trace.restore(requestHash, step, `before nudge ${round}`);
      await step(`nudge ${round}`, () => nudge(parts, requestHash));
      until = Math.min(begun + round * nudgeSeconds * 1000, end);
      if ((await waitFor(`verdict ${round}`, readVerdict, new Date(until))) === true) return;
    }
    await step("no verdict in time", () => giveUp(parts, requestHash));
  };
