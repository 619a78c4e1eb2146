// Composition of the metrics of the stages.
import type { Clock } from "@countersign/platform/clock";
import type { Metrics } from "@countersign/platform/http";
import { connectHomeChain, doesNodeAnswer } from "../adapters/contracts/index.ts";
import type { Config } from "../config.ts";
import { addMeasures, makeMeasureStore } from "../measures/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeOwnSigner, type WalletRole } from "../platform/own-wallet/index.ts";
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
    ["recorder", config.INBOX_ADDRESS],
    ["registrar", config.ACCOUNT_REGISTRY_ADDRESS],
  ] as const;

type Signers = Readonly<Record<WalletRole, ReturnType<typeof makeOwnSigner>>>;

async function readBalances(config: Config, signers: Signers): Promise<ReadonlyMap<string, bigint>> {
  const { HOME_CHAIN_ID: chainId, RPC_URLS: urls } = config;
  const rpcUrls = urls[chainId];
  const balances = new Map<string, bigint>();
  if (rpcUrls === undefined) return balances;
  for (const [role, contract] of purposesOf(config)) {
    if (contract === undefined) continue;
    const { address } = await signers[role]();
    balances.set(role, await connectHomeChain({ chainId, rpcUrls }).balanceOf(address));
  }
  return balances;
}

/** Nodes are numbered from 1 in the order of the setting. Their URLs may contain access keys. */
const readNodes = ({ RPC_URLS: nodes }: Config) =>
  Promise.all(
    Object.entries(nodes).flatMap(([chain, urls]) =>
      urls.map(async (url, index) => ({
        ...{ chain, node: String(index + 1), isUp: await doesNodeAnswer(Number(chain), url) },
      })),
    ),
  );

/** Only in a process that works: the numbers are those of the installation, not of a process. */
export function measureStages(parts: Parts): void {
  const { config, db, clock, metrics, secrets } = parts;
  if (config.ROLE === "http") return;
  // Made once: a key service is asked for its address at the first reading only.
  const signers = {
    recorder: makeOwnSigner("recorder", config, secrets),
    registrar: makeOwnSigner("registrar", config, secrets),
  };
  addMeasures({
    ...{ metrics, clock, store: makeMeasureStore(db) },
    readBalances: () => readBalances(config, signers),
    readNodes: () => readNodes(config),
  });
}
