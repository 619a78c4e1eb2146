// Values that a program in a document can use, by name: an installation, a funded account on the development chain, its
// agent's key, and an owner who approves transactions that pass verification.
import { addresses } from "../../examples/addresses.ts";
import { call, makeAccount, type Transaction } from "../../examples/make-account.ts";

const { api, validator, chain, world, contracts: deployed } = addresses();
const { wallet, asOwner, asAgent } = await makeAccount();
const hundredEther = `0x${(100n * 10n ** 18n).toString(16)}`;
await fetch(chain, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "anvil_setBalance" },
    params: [wallet.address, hundredEther],
  }),
});

type Listed = Transaction & {
  readonly approvals: { readonly orion: readonly { readonly decision: string }[] };
};

async function agree(): Promise<void> {
  const { body } = await call<readonly Listed[]>("GET", `/transactions/users/${wallet.address}`, asOwner);
  for (const { requestHash, status, approvals } of body)
    if (status === "PENDING" && approvals.orion[0]?.decision === "APPROVED")
      await call("POST", `/transactions/${requestHash}/approvals`, asOwner, { decision: "APPROVED" });
}
// Does not keep the program alive; a round that fails is followed by another.
setInterval(() => {
  agree().catch(() => undefined);
}, 1000).unref();

export const url = api;
export const validatorUrl = validator;
export const rpcUrl = chain;
export const worldUrl = world;
export const contracts = deployed;
export const account = wallet;
export const apiKey = asAgent["x-api-key"] ?? "";
