// Sends the waiting messages of one channel in order and when they are due, each until it is accepted or given up.
import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import type { Posted } from "../adapters/webhooks/index.ts";
import type { ChannelKind, Queued } from "./channel.ts";
import { disabledReasonOf, pauseMsAfter } from "./retry.ts";
import { planOf, type Batch } from "./schedule.ts";
import { sendTraced, type ReadTrace } from "./send-traced.ts";
import type { OpenChannel, Send } from "./send.ts";
import type { Attempt, Claimed, SendingStore } from "./store/sending.ts";

type Parts = {
  readonly store: SendingStore;
  readonly openChannel: OpenChannel;
  readonly clock: Clock;
  readonly firstPauseMs: number;
  readonly readTrace: ReadTrace;
  /** Counts attempts, for metrics. */
  readonly observe: (kind: ChannelKind, isDelivered: boolean) => void;
};

/** Bounds one step, so that the engine does not take it for a lost one. */
const stepMs = 10_000;
const batch = 50;

type Step = Claimed & { readonly channelId: string; readonly holder: string };

const idsOf = (messages: Batch): readonly string[] => messages.map(({ id }) => id);

const attemptOf = (messages: Batch, { status, error, durationMs }: Posted): Attempt => ({
  ...{ ids: idsOf(messages), status, error, durationMs },
});

const isBatch = (messages: readonly Queued[]): messages is Batch => messages.length > 0;

export type Deliver = ReturnType<typeof makeDeliver>;

/**
 * Sends messages for some seconds. Returns whether more of them are to be sent now. A process that dies in
 * between sends the last message again, under the same id.
 */
export function makeDeliver({ store, openChannel, clock, firstPauseMs, readTrace, observe }: Parts) {
  const recordFailed = async (
    step: Step,
    attempt: Attempt,
    posted: Posted,
    failures: number,
  ): Promise<void> => {
    const now = clock.now();
    const failingSince = failures === 0 ? now : (step.failingSince ?? now);
    await store.recordFailed(step, attempt, {
      pauseMs: pauseMsAfter(failures + 1, firstPauseMs, posted.retryAfterMs),
      disabledReason: disabledReasonOf({ kind: step.kind, status: posted.status, failingSince, now }),
    });
  };

  /** Returns false once the channel is released or lost to another step. */
  const sendAll = async (step: Step, batches: readonly Batch[], send: Send): Promise<boolean> => {
    let { failures } = step;
    for (const messages of batches) {
      if (messages.length > 1) await store.merge(idsOf(messages), messages[0].id);
      const posted = await sendTraced(messages, { kind: step.kind, send, readTrace });
      const attempt = attemptOf(messages, posted);
      observe(step.kind, attempt.error === null);
      if (attempt.error !== null) {
        await recordFailed(step, attempt, posted, failures);
        return false;
      }
      failures = 0;
      if (!(await store.recordDelivered(step, attempt))) return false;
    }
    return true;
  };

  return async function deliver(channelId: string): Promise<boolean> {
    const holder = newId();
    const claimed = await store.claim({ channelId, holder });
    const send = claimed === undefined ? undefined : await openChannel(claimed);
    if (claimed === undefined || send === undefined) return false;
    const step = { ...claimed, channelId, holder };
    const end = clock.now().getTime() + stepMs;
    while (clock.now().getTime() < end) {
      const messages = await store.listWaiting(channelId, batch);
      if (!isBatch(messages)) break;
      const plan = planOf(step, messages, clock.now());
      if ("waitUntil" in plan)
        return store.hold(step, { until: plan.waitUntil, after: messages.at(-1)?.position ?? "0" });
      if (!(await sendAll(step, plan.batches, send))) return false;
    }
    return store.release(step);
  };
}
