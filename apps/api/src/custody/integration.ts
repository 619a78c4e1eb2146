import type { Account } from "../accounts/index.ts";
import type { Access } from "../adapters/custodian/index.ts";

export const integrationTypes = ["execution", "agent"] as const;
export type IntegrationType = (typeof integrationTypes)[number];

export const environments = ["sandbox", "testnet", "mainnet"] as const satisfies Access["environment"][];
export const regions = ["US", "EU", "EU2"] as const satisfies Access["region"][];

/** What the owner has from the custodian, but for the API key, which is among the secrets. */
export type Completion = Pick<Access, "vaultAccountId" | "environment" | "region"> & {
  readonly credentialSecretId: string;
};

/** An account's access to its custodian. Of the secrets it has the names only. */
export type Integration = {
  readonly id: string;
  readonly account: Account;
  readonly type: IntegrationType;
  readonly csr: string;
  readonly keySecretId: string;
  /** Null until the owner has brought what the custodian gave for the CSR. */
  readonly completion: Completion | null;
  /** The vault's address, once the custodian has told it and it is known to be nobody else's. */
  readonly wallet: Account | null;
  /** SPKI in PEM. */
  readonly cosignerPublicKey: string | null;
  readonly createdAt: Date;
};

/** From the moment on at which it could be used. */
export type Completed = Integration & { readonly completion: Completion };

export const isCompleted = (integration: Integration): integration is Completed =>
  integration.completion !== null;
