import type { KeyObject } from "node:crypto";

/** With what, from where and in whose name we ask the custodian for one account. */
export type Access = {
  readonly apiKey: string;
  readonly privateKey: KeyObject;
  readonly vaultAccountId: string;
  readonly environment: "sandbox" | "testnet" | "mainnet";
  readonly region: "US" | "EU" | "EU2";
};
