// Regular work on transactions that no request triggers.
import type { Log } from "@countersign/platform/log";
import type { ChainReader } from "../adapters/chain/index.ts";
import type { Idempotency } from "../platform/idempotency/index.ts";
import type { Registrar } from "../transactions/record/registrar.ts";
import type { TransactionStore } from "../transactions/store/index.ts";
import type { Transition } from "../transactions/transition.ts";
import { makeExpireOverdue } from "../transactions/watch/expire.ts";
import { makeRemindOwners } from "../transactions/watch/remind.ts";

type Parts = {
  readonly store: TransactionStore;
  readonly transition: Transition;
  readonly log: Log;
  readonly idempotency: Pick<Idempotency, "sweep">;
  readonly registrar: Pick<Registrar, "follow">;
  readonly execution: { readonly chainOf: (chainId: number) => Pick<ChainReader, "hasCode"> | undefined };
};

const sweptAtMost = 100;

/** Expires overdue transactions, reminds owners, looks after registrations, and deletes what no longer counts. Returns how many rows changed. */
export function makeSweep({
  store,
  transition,
  log,
  idempotency,
  registrar,
  execution,
}: Parts): () => Promise<number> {
  const expireOverdue = makeExpireOverdue({ store, transition, log, chainOf: execution.chainOf });
  const remindOwners = makeRemindOwners({ store, transition });
  return async () => {
    const changed = (await expireOverdue()) + (await remindOwners()) + (await registrar.follow());
    const cleared = await Promise.all([idempotency.sweep(), store.forgetIntentNonces(sweptAtMost)]);
    return cleared.reduce((sum, count) => sum + count, changed);
  };
}
