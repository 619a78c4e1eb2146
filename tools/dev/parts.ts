import type { StackPorts } from "./ports.ts";

/** Everything that is brought up, in the order in which it is shown. */
export const partNames = [
  "postgres",
  "restate",
  "anvil",
  "ipfs",
  "contracts",
  "world",
  "simulator",
  "validator",
  "api",
  "worker",
  "orion",
  "custodian",
  "wallet-provider",
  "web",
] as const;
export type PartName = (typeof partNames)[number];

/** A line of the table. */
export type Part = {
  readonly name: PartName;
  readonly address: string;
  /** A few words: a version, a state, or how it ended. */
  readonly status: string;
  readonly logFile: string;
};

export type StackUrls = {
  readonly api: string;
  readonly worker: string;
  readonly validator: string;
  readonly orion: string;
  readonly orionWorker: string;
  readonly postgres: string;
  readonly restateIngress: string;
  readonly restateAdmin: string;
  readonly anvil: string;
  readonly ipfs: string;
  /** A chain with the id of Ethereum and real contracts, if it was started. */
  readonly world: string;
  readonly simulator: string;
  readonly custodian: string;
  readonly walletProvider: string;
  readonly web: string;
};

export const databaseName = "countersign";

export function urlsOf(ports: StackPorts): StackUrls {
  const http = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    api: http(ports.api),
    worker: http(ports.worker),
    validator: http(ports.validator),
    orion: http(ports.orion),
    orionWorker: http(ports.orionWorker),
    postgres: `postgres://postgres@127.0.0.1:${ports.postgres}/${databaseName}`,
    restateIngress: http(ports.restateIngress),
    restateAdmin: http(ports.restateAdmin),
    anvil: http(ports.anvil),
    ipfs: http(ports.ipfs),
    world: http(ports.world),
    simulator: http(ports.simulator),
    custodian: http(ports.custodian),
    walletProvider: http(ports.walletProvider),
    web: http(ports.web),
  };
}

/** Where each part is reached. The contracts are on the chain. */
export const addressOf = (urls: StackUrls): Readonly<Record<PartName, string>> => ({
  ...urls,
  restate: `${urls.restateIngress} (admin ${urls.restateAdmin})`,
  contracts: urls.anvil,
  "wallet-provider": urls.walletProvider,
});
