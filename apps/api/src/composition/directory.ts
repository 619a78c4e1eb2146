// Composition of the public directory: verification services and public agents.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import { makeAccountStore } from "../accounts/index.ts";
import { connectIpfs } from "../adapters/ipfs/index.ts";
import { makeServiceRegistry, type ServiceRegistry } from "../adapters/services/index.ts";
import { baseUrlOf, watchedChainsOf, type Config } from "../config.ts";
import { makeFindServiceByKey } from "../directory/find-service-by-key.ts";
import { makeServiceStore, type ServiceStore } from "../directory/index.ts";
import { startKeepingUp } from "../directory/keep-up.ts";
import { makeMirrorServices } from "../directory/mirror-services.ts";
import { makeAgentReader } from "../directory/read-agent.ts";
import { makeRollUp } from "../directory/roll-up.ts";
import { agentRoutes } from "../directory/routes-agents.ts";
import { serviceRoutes } from "../directory/routes-services.ts";
import { makeAgentStore } from "../directory/store/agents.ts";
import { makeRollUpStore } from "../directory/store/roll-up.ts";
import { readPublicKey } from "../pgp-keys/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeHasPublicProfile } from "../settings/settings.ts";
import { makeSettingsStore } from "../settings/store.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Through which this process changes services. */
  readonly services: ServiceStore;
};

type Directory = {
  readonly routes: readonly Route[];
  /** Keeps the directory up to date with the chain and the events. For a worker. */
  readonly startWork: () => Running;
};

function chooseRegistry({ config, log }: Parts): ServiceRegistry | undefined {
  const { HOME_CHAIN_ID: chainId, SERVICE_REGISTRY_ADDRESS: address } = config;
  const rpcUrls = config.RPC_URLS[chainId];
  if (address === undefined) return undefined;
  if (rpcUrls === undefined) {
    log.warn("RPC_URLS has no node for the home chain: verification services are not updated");
    return undefined;
  }
  return makeServiceRegistry({ chainId, rpcUrls, address: address as `0x${string}` });
}

export function makeDirectory(parts: Parts): Directory {
  const { config, db, clock, log, services } = parts;
  const store = makeServiceStore(db);
  const ipfs = connectIpfs(config);
  const mirrorServices = makeMirrorServices({
    ...{ store: services, clock, log, readPublicKey },
    registry: chooseRegistry(parts),
    readContent: (digest) => ipfs.read(digest),
  });
  const agents = makeAgentReader({
    ...{ accounts: makeAccountStore(db), store: makeAgentStore(db), clock },
    isPublic: makeHasPublicProfile({ store: makeSettingsStore(db) }),
  });
  const rollUp = makeRollUp({ store: makeRollUpStore(db) });
  return {
    routes: [
      ...serviceRoutes({ store, findServiceByKey: makeFindServiceByKey({ store }) }),
      ...agentRoutes({ agents, baseUrl: baseUrlOf(config), watchedChains: watchedChainsOf(config) }),
    ],
    startWork: () => {
      const { stop } = startKeepingUp({ mirrorServices, rollUp, log, mirrorEveryMs: config.MIRROR_EVERY_MS });
      return { close: stop };
    },
  };
}
