import type { KeyObject } from "node:crypto";

/** The credentials, vault and environment with which we call the custodian for one account. */
export type Access = {
  readonly apiKey: string;
  readonly privateKey: KeyObject;
  readonly vaultAccountId: string;
  readonly environment: "sandbox" | "testnet" | "mainnet";
  readonly region: "US" | "EU" | "EU2";
};
