// The way of proposals to their verdict, in groups: those of a moment share each step. A proposal waits in the database and not
// in the engine. Its verdict ends its row in the same commit; until then it is taken up again for each further nudge.
import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import type { Log } from "@countersign/platform/log";
import { defineGroupFlow, type FlowStore, type GroupSteps } from "../../platform/flows/index.ts";
import type { TakeSnapshot } from "../execute/take-snapshot.ts";
import { isTerminal } from "../lifecycle.ts";
import type { Registrar } from "../record/registrar.ts";
import type { TransactionStore, Verifiable } from "../store/index.ts";
import { verificationFlow, type Hex } from "../transaction.ts";
import type { GiveUp } from "./give-up.ts";
import type { NudgeOrion } from "./nudge-orion.ts";

type Parts = {
  readonly flowStore: Pick<FlowStore, "listPastLimit">;
  readonly store: Pick<TransactionStore, "listVerifiable" | "acceptExecutions">;
  readonly registrar: Pick<Registrar, "register">;
  readonly takeSnapshot: TakeSnapshot;
  readonly nudgeOrion: NudgeOrion;
  readonly giveUp: GiveUp;
  readonly clock: Clock;
  readonly log: Log;
  /** How long orion has for its verdict. */
  readonly verdictSeconds: number;
  /** The pause between two nudges. */
  readonly nudgeSeconds: number;
};

/** The pause while something is missing that others do: a key, or a node. */
const retrySeconds = 2;
/** For so long a snapshot of a proposal's effects is tried. Without one it is verified, but not sent by us. */
const snapshotMs = 10_000;

const isUnsealed = ({ transaction }: Verifiable): boolean => transaction.form === "unsealed";

/** Whether there is nothing left to wait for. A verdict may come before the registration, and takes effect with it. */
const isOver = ({ transaction, isRegistered }: Verifiable): boolean =>
  isTerminal(transaction) ||
  (transaction.orion !== null && (isRegistered || transaction.form === "unsealed"));

const hashesOf = (all: readonly Verifiable[]): readonly Hex[] =>
  all.map(({ transaction }) => transaction.requestHash);

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Takes the snapshots of those that the service might send. Returns those for which this has to be tried again. */
async function snapshot(
  { takeSnapshot, clock }: Parts,
  fresh: readonly Verifiable[],
): Promise<readonly Hex[]> {
  const results = await Promise.all(
    fresh.map(async ({ transaction }) => {
      const isTaken = await takeSnapshot(transaction);
      const isLate = clock.now().getTime() - transaction.createdAt.getTime() > snapshotMs;
      return isTaken || isLate ? [] : [transaction.requestHash];
    }),
  );
  return results.flat();
}

async function nudgeAndWait(parts: Parts, steps: GroupSteps, all: readonly Verifiable[]): Promise<void> {
  if (all.length === 0) return;
  await parts.nudgeOrion(all);
  const { nudgeSeconds: seconds, verdictSeconds: limitSeconds } = parts;
  await steps.wait(hashesOf(all), { seconds: Math.min(seconds, limitSeconds), limitSeconds });
}

/** Gives up those that have waited too long, and nudges orion about the others. */
async function ask(parts: Parts, steps: GroupSteps, waiting: readonly Verifiable[]): Promise<void> {
  if (waiting.length === 0) return;
  const late = new Set(await parts.flowStore.listPastLimit(verificationFlow, hashesOf(waiting)));
  const [tooLate, others] = split(waiting, ({ transaction }) => late.has(transaction.requestHash));
  await Promise.all(hashesOf(tooLate).map(parts.giveUp));
  await steps.finish(hashesOf(tooLate));
  await nudgeAndWait(parts, steps, others);
}

/** The change that ended it may have been made by an earlier version, which accepts no executions. The sweeper starts them. */
async function finishOver({ store }: Parts, steps: GroupSteps, over: readonly Verifiable[]): Promise<void> {
  if (over.length === 0) return;
  await store.acceptExecutions(hashesOf(over));
  await steps.finish(hashesOf(over));
}

/** Takes the run's proposals, and sees to those that are not to be registered now. Returns the others. */
async function look(parts: Parts, steps: GroupSteps): Promise<readonly Hex[]> {
  const keys = (await steps.begin()) as readonly Hex[];
  if (keys.length === 0) return [];
  const [over, open] = split(await parts.store.listVerifiable(keys), isOver);
  await finishOver(parts, steps, over);
  const isNew = ({ registrationId, isRegistered }: Verifiable): boolean =>
    !isRegistered && registrationId === null;
  const retried = new Set(await snapshot(parts, open.filter(isNew)));
  await steps.wait([...retried], { seconds: retrySeconds });
  const ready = open.filter(({ transaction }) => !retried.has(transaction.requestHash));
  const [registered, unregistered] = split(ready, (one) => isUnsealed(one) || one.isRegistered);
  await ask(parts, steps, registered);
  return hashesOf(unregistered);
}

/**
 * Returns those that are registered. One that fails does not hold up the others: another run takes it. If all fail, the engine
 * retries them with its growing pauses.
 */
async function register(
  { registrar, log }: Parts,
  steps: GroupSteps,
  requestHashes: readonly Hex[],
): Promise<readonly Hex[]> {
  const results = await Promise.allSettled(requestHashes.map((hash) => registrar.register(hash)));
  const of = (wanted: Awaited<ReturnType<Registrar["register"]>>): readonly Hex[] =>
    requestHashes.filter((_, index) => {
      const result = results[index];
      return result?.status === "fulfilled" && result.value === wanted;
    });
  const failures = results.flatMap((result, index) =>
    result.status === "rejected"
      ? [{ key: requestHashes[index] ?? "0x", error: result.reason as unknown }]
      : [],
  );
  const [first] = failures;
  if (first !== undefined && failures.length === requestHashes.length) throw first.error;
  for (const { key, error } of failures) log.warn("proposal not registered, retrying", { key, error });
  await steps.finish(of("over"));
  await steps.park(of("refused"), "the inbox refused it");
  await steps.wait([...of("keyless"), ...failures.map(({ key }) => key)], { seconds: retrySeconds });
  return of("registered");
}

/** Works on the proposals of one run. */
export const makeVerifyTogether = (parts: Parts) =>
  async function verifyTogether(steps: GroupSteps): Promise<void> {
    const unregistered = await steps.step("look", () => look(parts, steps));
    if (unregistered.length === 0) return;
    const registered = await steps.step("register", () => register(parts, steps, unregistered));
    await steps.step("nudge", async () => {
      const [over, open] = split(await parts.store.listVerifiable(registered), isOver);
      await finishOver(parts, steps, over);
      await nudgeAndWait(parts, steps, open);
    });
  };

export const makeVerificationFlow = (parts: Parts & { readonly flowStore: FlowStore }): Flow =>
  defineGroupFlow({ name: verificationFlow, run: makeVerifyTogether(parts) }, { store: parts.flowStore });
