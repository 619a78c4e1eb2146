// A custodian's co-signer and its requests.
import { randomUUID } from "node:crypto";
import { serializeTransaction, type TransactionSerializableEIP1559 } from "viem";
import { anRsaKey } from "../../../../../tools/stand-ins/custodian/testing.ts";
import { signToken, type Claims } from "../../../../../tools/stand-ins/custodian/tokens.ts";
import type { CustodianStandIn } from "../../../../../tools/stand-ins/custodian/stand-in.ts";
import { idOf, requestCsr, type AnsweredIntegration } from "../../custody.ts";
import { bearer, type SignedIn } from "../../sign-in.ts";
import type { TestApi } from "../../test-api.ts";
import type { Hex } from "../../../src/transactions/transaction.ts";

export type Cosigned = {
  readonly wallet: Hex;
  readonly vaultAccountId: string;
  readonly integrationId: string;
  /** The co-signer's keys. */
  readonly keys: ReturnType<typeof anRsaKey>;
};

type Custody = {
  readonly custodian: CustodianStandIn;
  readonly type?: "execution" | "agent";
  readonly isKeyNamed?: boolean;
};

/** Sets up custody as an owner with a co-signer does. */
export async function aCosignedWallet(
  api: TestApi,
  who: SignedIn,
  { custodian, type = "execution", isKeyNamed = true }: Custody,
): Promise<Cosigned> {
  const made = (await requestCsr(api, who, { type })).json<AnsweredIntegration>();
  const { vaultAccountId, address } = await custodian.makeVault();
  const apiKey = custodian.admit({ csr: made.csr, vaults: [vaultAccountId] });
  const keys = anRsaKey();
  const cosignerPublicKey = keys.publicKey.export({ format: "pem", type: "spki" }).toString();
  const payload = {
    ...{ apiKey, vaultAccountId, environment: "sandbox", region: "US" },
    ...(isKeyNamed ? { cosignerPublicKey } : {}),
  };
  const completed = await api.http.send({
    ...{ method: "POST", url: `/custody/complete/${type}`, payload, headers: bearer(who) },
  });
  if (completed.json<AnsweredIntegration>().wallet?.toLowerCase() !== address.toLowerCase())
    throw new Error(`not completed: ${completed.body}`);
  return { wallet: address, vaultAccountId, integrationId: idOf(made), keys };
}

/** The transaction of `aProposal`, as a custodian would send it. */
export const proposed: TransactionSerializableEIP1559 = {
  type: "eip1559",
  chainId: 11_155_111,
  nonce: 0,
  to: "0x1111111111111111111111111111111111111111",
  value: 10n ** 15n,
  gas: 21_000n,
  maxFeePerGas: 10n ** 9n,
  maxPriorityFeePerGas: 1n,
};

/** In their format, without the prefix. */
export const rawOf = (changes: Partial<TransactionSerializableEIP1559> = {}): string =>
  serializeTransaction({ ...proposed, ...changes }).slice(2);

/** A valid request. A test changes only what it is about. */
export const aQuestion = (
  { vaultAccountId }: Pick<Cosigned, "vaultAccountId">,
  changes: Claims = {},
): Claims => ({
  ...{ requestId: randomUUID(), txId: randomUUID(), operation: "TRANSFER" },
  ...{ sourceType: "VAULT", sourceId: vaultAccountId, destType: "ONE_TIME_ADDRESS" },
  ...{ destAddress: proposed.to, asset: "ETH_TEST5", amountStr: "0.001", requestedAmountStr: "0.001" },
  rawTx: [{ rawTx: rawOf() }],
  iat: Math.floor(Date.now() / 1000),
  ...changes,
});

export const tokenOf = ({ keys }: Pick<Cosigned, "keys">, question: Claims): string =>
  signToken(question, keys.privateKey);

export const urlOf = ({ integrationId }: Pick<Cosigned, "integrationId">): string =>
  `/custody/cosigner/${integrationId}/v2/tx_sign_request`;
