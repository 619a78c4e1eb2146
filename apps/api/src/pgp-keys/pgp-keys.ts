import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import type { Registry } from "../adapters/registry/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import type { makeListKeys } from "../api-keys/index.ts";
import type { Flows, FlowStore } from "../platform/flows/index.ts";
import type { OwnTransactionStore } from "../platform/own-wallet/index.ts";
import { makeRegisterKeyFlow } from "./register-key-flow.ts";
import { makeRegisterKey } from "./register-key.ts";
import { pgpKeyRoutes } from "./routes.ts";
import type { PgpKeyStore } from "./store.ts";

type Parts = {
  readonly store: PgpKeyStore;
  readonly ownTransactions: OwnTransactionStore;
  readonly flowStore: FlowStore;
  readonly flows: Flows;
  readonly wallets: LimitedWallets;
  /** Without a registry, keys are stored and wait for one. */
  readonly registry: Registry | undefined;
  readonly listApiKeys: ReturnType<typeof makeListKeys>;
  readonly homeChainId: number;
  readonly clock: Clock;
};

type PgpKeys = {
  readonly routes: ReturnType<typeof pgpKeyRoutes>;
  readonly durableFlows: readonly Flow[];
  /** At the start, accepts keys that were registered while there was no registry. */
  readonly prepare: () => Promise<void>;
};

const batch = 100;

export function makePgpKeys(parts: Parts): PgpKeys {
  const { store, registry, listApiKeys } = parts;
  const registerKey = makeRegisterKey({ ...parts, hasRegistry: registry !== undefined });
  return {
    routes: pgpKeyRoutes({ registerKey, store, listApiKeys }),
    durableFlows: [makeRegisterKeyFlow(parts)],
    prepare: async () => {
      if (registry === undefined) return;
      while ((await store.acceptUnasked(batch)) === batch);
    },
  };
}
