import type { Account } from "../accounts/index.ts";
import type { Access } from "../adapters/custodian/index.ts";

export const integrationTypes = ["execution", "agent"] as const;
export type IntegrationType = (typeof integrationTypes)[number];

export const environments = ["sandbox", "testnet", "mainnet"] as const satisfies Access["environment"][];
export const regions = ["US", "EU", "EU2"] as const satisfies Access["region"][];

/** The custodian's answer to the owner, except the API key, which is in the secret store. */
export type Completion = Pick<Access, "vaultAccountId" | "environment" | "region"> & {
  readonly credentialSecretId: string;
};

/** An account's access to its custodian. Contains only the ids of the secrets. */
export type Integration = {
  readonly id: string;
  readonly account: Account;
  readonly type: IntegrationType;
  readonly csr: string;
  readonly keySecretId: string;
  /** Null until the owner has submitted the custodian's answer to the CSR. */
  readonly completion: Completion | null;
  /** The vault's address, once the custodian has reported it and no other account has it. */
  readonly wallet: Account | null;
  /** SPKI in PEM. */
  readonly cosignerPublicKey: string | null;
  readonly createdAt: Date;
};

/** An integration that can be used. */
export type Completed = Integration & { readonly completion: Completion };

export const isCompleted = (integration: Integration): integration is Completed =>
  integration.completion !== null;
