import { requestCsr, type AnsweredIntegration } from "../custody.ts";
import { bearer, type SignedIn } from "../sign-in.ts";
import type { TestApi } from "../test-api.ts";
import type { CustodianStandIn } from "../../../../tools/stand-ins/custodian/stand-in.ts";

type Custody = { readonly custodian: CustodianStandIn; readonly type: "execution" | "agent" };

/** Sets up custody as an owner does. Returns the vault's address, which is then one of their escrows. */
export async function aCustodyWallet(
  api: TestApi,
  who: SignedIn,
  { custodian, type }: Custody,
): Promise<string> {
  const { csr } = (await requestCsr(api, who, { type })).json<AnsweredIntegration>();
  const { vaultAccountId, address } = await custodian.makeVault();
  const apiKey = custodian.admit({ csr, vaults: [vaultAccountId] });
  const payload = { apiKey, vaultAccountId, environment: "sandbox", region: "US" };
  const completed = await api.http.send({
    ...{ method: "POST", url: `/custody/complete/${type}`, payload, headers: bearer(who) },
  });
  const { wallet } = completed.json<AnsweredIntegration>();
  if (wallet?.toLowerCase() !== address.toLowerCase()) throw new Error(`not completed: ${completed.body}`);
  return address;
}
