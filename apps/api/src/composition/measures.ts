// Composition of the metrics of the stages.
import type { Clock } from "@countersign/platform/clock";
import type { Metrics } from "@countersign/platform/http";
import { privateKeyToAddress } from "viem/accounts";
import { connectHomeChain, doesNodeAnswer } from "../adapters/contracts/index.ts";
import type { Config } from "../config.ts";
import { addMeasures, makeMeasureStore } from "../measures/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeSignerKey } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly secrets: SecretStore;
};

/** The wallets that this installation signs with. A contract that is not configured needs no wallet. */
const purposesOf = (config: Config) =>
  [
    ["recorder", config.INBOX_ADDRESS, config.RECORDER_PRIVATE_KEY],
    ["registrar", config.ACCOUNT_REGISTRY_ADDRESS, config.REGISTRAR_PRIVATE_KEY],
  ] as const;

async function readBalances({ config, secrets }: Parts): Promise<ReadonlyMap<string, bigint>> {
  const { HOME_CHAIN_ID: chainId, RPC_URLS: urls } = config;
  const rpcUrl = urls[chainId];
  const balances = new Map<string, bigint>();
  if (rpcUrl === undefined) return balances;
  for (const [role, contract, setting] of purposesOf(config)) {
    if (contract === undefined) continue;
    const key = await makeSignerKey({ purpose: `${role}-key`, setting, keeper: secrets })();
    balances.set(role, await connectHomeChain({ chainId, rpcUrl }).balanceOf(privateKeyToAddress(key)));
  }
  return balances;
}

async function readNodes({ RPC_URLS: urls }: Config): Promise<ReadonlyMap<string, boolean>> {
  const answers = Object.entries(urls).map(
    async ([chain, url]) => [chain, await doesNodeAnswer(url)] as const,
  );
  return new Map(await Promise.all(answers));
}

/** Only in a process that works: the numbers are those of the installation, not of a process. */
export function measureStages(parts: Parts): void {
  const { config, db, clock, metrics } = parts;
  if (config.ROLE === "http") return;
  addMeasures({
    ...{ metrics, clock, store: makeMeasureStore(db) },
    readBalances: () => readBalances(parts),
    readNodes: () => readNodes(config),
  });
}
