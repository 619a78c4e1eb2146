// Variants of the service with one check removed. The tests must detect each of them.
import { makeAccountStore, makeWalletStore } from "../../../src/accounts/index.ts";
import { makeExecution } from "../../../src/composition/execution.ts";
import { makeIdempotency, makeIdempotencyStore } from "../../../src/platform/idempotency/index.ts";
import type { Transition } from "../../../src/transactions/transition.ts";
import { makeFindEscrowOwner } from "../../../src/transactions/propose/escrow-owner.ts";
import { isPending } from "../../../src/transactions/lifecycle.ts";
import type { Senders } from "../../../src/transactions/senders.ts";
import { makeExecuteForOwner } from "../../../src/transactions/execute/execute-for-owner.ts";
import type { Real } from "./sending-commands.ts";
import { asItIs } from "./sending-run.ts";
import type { ExecutionStage } from "./harness.ts";

/** Sends one wei more than was approved. */
export function sendingMore(harness: ExecutionStage): Real {
  const senders: Senders = {
    ...harness.senders,
    open: async (...given) => {
      const sender = await harness.senders.open(...given);
      return sender && { ...sender, send: (order) => sender.send({ ...order, value: order.value + 1n }) };
    },
  };
  const { api, clock, log, store, transition, domain, services, readers } = harness;
  return {
    ...asItIs(harness),
    ...makeExecution({
      config: api.config,
      clock,
      log,
      store,
      transition,
      senders,
      domain,
      services,
      readers,
    }),
  };
}

/** Executes transactions that were not approved. */
export function beginningAnything(harness: ExecutionStage): Real {
  const { api, clock, log, senders, client, domain, services, readers } = harness;
  const store: ExecutionStage["store"] = {
    ...harness.store,
    find: async (requestHash) => {
      const found = await harness.store.find(requestHash);
      return found && isPending(found) ? { ...found, phase: "READY" } : found;
    },
  };
  const transition: Transition = {
    ...harness.transition,
    changeWithin: async (_tx, key) => {
      if (!("requestHash" in key)) throw new Error("expected a request hash");
      const before = await harness.find(key.requestHash);
      await client.query("update transactions set phase = 'EXECUTING', expires_at = null where id = $1", [
        before.id,
      ]);
      return { before, after: await harness.find(key.requestHash), approval: undefined, wake: undefined };
    },
  };
  return {
    ...asItIs(harness),
    ...makeExecution({
      config: api.config,
      clock,
      log,
      store,
      transition,
      senders,
      domain,
      services,
      readers,
    }),
  };
}

/** Trusts an administrator's request without comparing it. */
export function comparingNothing(harness: ExecutionStage): Real {
  const { db, store, transition, senders, beginExecution } = harness;
  const executeForOwner = makeExecuteForOwner({
    ...{ store, transition, senders },
    beginExecution: {
      beginWithin: (tx, { check: _check, ...intent }) => beginExecution.beginWithin(tx, intent),
    },
    findEscrowOwner: makeFindEscrowOwner({ accounts: makeAccountStore(db), wallets: makeWalletStore(db) }),
    idempotently: makeIdempotency({ store: makeIdempotencyStore(db) }).idempotently,
  });
  const by = { caller: { scheme: "apiKey", subject: "an administrator" }, idempotencyKey: undefined };
  return {
    ...asItIs(harness),
    askAsAdmin: async (asked) => {
      try {
        return (await executeForOwner(asked, by)).status;
      } catch {
        // A rejection is a result too, not a failure of the test.
        return 400;
      }
    },
  };
}
