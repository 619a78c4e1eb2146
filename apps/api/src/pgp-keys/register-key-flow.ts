import type { Clock } from "@countersign/platform/clock";
import { FlowCannotGoOn, type Flow } from "@countersign/platform/engine";
import type { Registry } from "../adapters/registry/index.ts";
import { defineDurableFlow, type FlowStore } from "../platform/flows/index.ts";
import { registerKeyFlow, type Hex } from "./pgp-key.ts";
import type { KeptTransaction, PgpKeyStore } from "./store.ts";

type Parts = { readonly store: PgpKeyStore; readonly registry: Registry };

/**
 * The hash of the row's one transaction, which is signed and kept now if there is none; null if the chain needs none. From
 * the moment it is signed it is carried through, even if the key is replaced: a nonce left out would hold up all later ones.
 */
async function prepare({ store, registry }: Parts, id: string, displaced: Hex | null): Promise<Hex | null> {
  const key = await store.read(id);
  if (key === undefined) throw new FlowCannotGoOn("there is no such key");
  if (key.chainState !== "waiting" && key.chainState !== "signed") return null;
  if (key.signedHash !== null && key.signedHash !== displaced) return key.signedHash;
  if (!key.isCurrent) {
    await store.settle(id, "replaced");
    return null;
  }
  const plan = await registry.plan({
    account: key.account,
    fingerprint: `0x${key.fingerprint}`,
    signatureHash: key.signatureHash,
  });
  if (plan === "recorded-by-account") {
    await store.settle(id, plan);
    return null;
  }
  const hash = await store.signOnce({ id, chainId: registry.chainId, displaced, ...plan });
  if (hash !== "replaced") return hash;
  await store.settle(id, "replaced");
  return null;
}

async function readKept({ store }: Parts, id: string, hash: Hex): Promise<KeptTransaction> {
  const kept = await store.readTransaction(id, hash);
  if (kept === undefined) throw new FlowCannotGoOn("another attempt has taken this work up");
  return kept;
}

/** Brings a key onto the chain: sign once, keep the bytes, send those and no others until the chain has them. */
export function makeRegisterKeyFlow({
  flowStore,
  clock,
  store,
  registry,
}: {
  readonly flowStore: FlowStore;
  readonly clock: Clock;
  readonly store: PgpKeyStore;
  readonly registry: Registry | undefined;
}): Flow {
  return defineDurableFlow(
    {
      name: registerKeyFlow,
      run: async ({ key: id, step }) => {
        // Tried again until this process, or the one after it, is told where the registry is.
        if (registry === undefined) throw new Error("no ACCOUNT_REGISTRY_ADDRESS: the key waits for it");
        const parts = { store, registry };
        let displaced: Hex | null = null;
        for (let round = 1; ; round++) {
          const before: Hex | null = displaced;
          const hash: Hex | null = await step(`prepare, round ${round}`, () => prepare(parts, id, before));
          if (hash === null) return;
          await step(`send, round ${round}`, async () => {
            await registry.send((await readKept(parts, id, hash)).bytes);
          });
          const outcome = await step(`outcome, round ${round}`, async () => {
            const kept = await readKept(parts, id, hash);
            return registry.waitForOutcome(kept, kept.account);
          });
          if (outcome !== "displaced") {
            await step("settle", () => store.settle(id, outcome));
            if (outcome === "refused") throw new FlowCannotGoOn(`the registry refused ${hash}`);
            return;
          }
          displaced = hash;
        }
      },
    },
    { store: flowStore, clock },
  );
}
