// The service with one thing taken out, to see that its absence is noticed.
import { makeAccountStore, makeWalletStore } from "../../../accounts/index.ts";
import { makeExecution } from "../../../app-execution.ts";
import { makeIdempotency, makeIdempotencyStore } from "../../../platform/idempotency/index.ts";
import type { Door } from "../../door.ts";
import { makeFindEscrowOwner } from "../../escrow-owner.ts";
import { isPending } from "../../lifecycle.ts";
import type { Senders } from "../senders.ts";
import { makeExecuteForOwner } from "../execute-for-owner.ts";
import type { Real } from "./sending-commands.ts";
import { asItIs } from "./sending-run.ts";
import type { ExecutionStage } from "./stage.ts";

/** Sends a wei more than was approved. */
export function sendingMore(stage: ExecutionStage): Real {
  const senders: Senders = {
    ...stage.senders,
    open: async (...given) => {
      const sender = await stage.senders.open(...given);
      return sender && { ...sender, send: (order) => sender.send({ ...order, value: order.value + 1n }) };
    },
  };
  const { api, clock, log, store, door, domain, services } = stage;
  return {
    ...asItIs(stage),
    ...makeExecution({ config: api.config, clock, log, store, door, senders, domain, services }),
  };
}

/** Begins what nobody has approved yet. */
export function beginningAnything(stage: ExecutionStage): Real {
  const { api, clock, log, senders, client, domain, services } = stage;
  const store: ExecutionStage["store"] = {
    ...stage.store,
    find: async (requestHash) => {
      const found = await stage.store.find(requestHash);
      return found && isPending(found) ? { ...found, phase: "READY" } : found;
    },
  };
  const door: Door = {
    ...stage.door,
    changeWithin: async (_tx, key) => {
      if (!("requestHash" in key)) throw new Error("it is named by its hash");
      const before = await stage.find(key.requestHash);
      await client.query("update transactions set phase = 'EXECUTING', expires_at = null where id = $1", [
        before.id,
      ]);
      return { before, after: await stage.find(key.requestHash), approval: undefined, wake: undefined };
    },
  };
  return {
    ...asItIs(stage),
    ...makeExecution({ config: api.config, clock, log, store, door, senders, domain, services }),
  };
}

/** Takes an administrator's word for what was approved. */
export function comparingNothing(stage: ExecutionStage): Real {
  const { db, store, door, senders, beginExecution } = stage;
  const executeForOwner = makeExecuteForOwner({
    ...{ store, door, senders },
    beginExecution: {
      beginWithin: (tx, { check: _check, ...intent }) => beginExecution.beginWithin(tx, intent),
    },
    findEscrowOwner: makeFindEscrowOwner({ accounts: makeAccountStore(db), wallets: makeWalletStore(db) }),
    idempotently: makeIdempotency({ store: makeIdempotencyStore(db) }).idempotently,
  });
  const by = { caller: { scheme: "apiKey", subject: "an administrator" }, idempotencyKey: undefined };
  return {
    ...asItIs(stage),
    askAsAdmin: async (asked) => {
      try {
        return (await executeForOwner(asked, by)).status;
      } catch {
        // A refusal, which is an answer like any other.
        return 400;
      }
    },
  };
}
