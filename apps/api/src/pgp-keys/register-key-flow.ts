import type { Clock } from "@countersign/platform/clock";
import { FlowCannotGoOn, type Flow } from "@countersign/platform/engine";
import type { Plan } from "../adapters/own-wallet/index.ts";
import type { Registry } from "../adapters/registry/index.ts";
import { defineDurableFlow, type FlowStore } from "../platform/flows/index.ts";
import { sendOnce, type OwnTransactionStore } from "../platform/own-wallet/index.ts";
import { registerKeyFlow, registerKeyPurpose, type PgpKey } from "./pgp-key.ts";
import type { PgpKeyStore } from "./store.ts";

type Parts = { readonly store: PgpKeyStore; readonly registry: Registry };

async function readKey(store: PgpKeyStore, id: string): Promise<PgpKey> {
  const key = await store.read(id);
  if (key === undefined) throw new FlowCannotGoOn("no such key");
  return key;
}

/** Returns the call to sign for the key, or the reason why none is needed. */
async function plan(
  { store, registry }: Parts,
  id: string,
): Promise<Plan | "ended" | "replaced" | "recorded-by-account"> {
  const { account, fingerprint, signatureHash, isCurrent, chainState } = await readKey(store, id);
  if (chainState !== "waiting" && chainState !== "signed") return "ended";
  if (!isCurrent) return "replaced";
  return registry.plan({ account, fingerprint: `0x${fingerprint}`, signatureHash });
}

/** The transaction reverted: either the account recorded its own key in the meantime, or the reason is unknown. */
async function settleReverted({ store, registry }: Parts, id: string, blockNumber: number): Promise<boolean> {
  const { account } = await readKey(store, id);
  const isByAccount = await registry.isByAccount(account, blockNumber);
  await store.settle(id, isByAccount ? "recorded-by-account" : "refused");
  return isByAccount;
}

/** Records a key on the chain. */
export function makeRegisterKeyFlow({
  flowStore,
  clock,
  store,
  ownTransactions,
  registry,
}: {
  readonly flowStore: FlowStore;
  readonly clock: Clock;
  readonly store: PgpKeyStore;
  readonly ownTransactions: OwnTransactionStore;
  readonly registry: Registry | undefined;
}): Flow {
  return defineDurableFlow(
    {
      name: registerKeyFlow,
      run: async ({ key: id, step }) => {
        // Retried until this process or a later one has the registry's address.
        if (registry === undefined)
          throw new Error("ACCOUNT_REGISTRY_ADDRESS is not set: the key waits for it");
        const parts = { store, registry };
        const sent = await sendOnce({
          purpose: registerKeyPurpose,
          subject: id,
          step,
          store: ownTransactions,
          wallet: registry.wallet,
          plan: () => plan(parts, id),
          claim: store.claim(id),
        });
        if (sent.state === "unsent") {
          const { reason } = sent;
          if (reason === "ended") return;
          await step("settle", () => store.settle(id, reason === "unwanted" ? "replaced" : reason));
        } else if (sent.state === "mined") {
          await step("settle", () => store.settleRecorded(id, sent.hash));
        } else {
          const isByAccount = await step("settle", () => settleReverted(parts, id, sent.blockNumber));
          if (!isByAccount) throw new FlowCannotGoOn(`the registry refused ${sent.hash}`);
        }
      },
    },
    { store: flowStore, clock },
  );
}
