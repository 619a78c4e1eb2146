// A viem wallet client as the guards' core needs it.
import { typedDataDefinition, writeTypedData, type Authorization, type Calls } from "@countersign/wire";
import { serializeSignature, type Account, type LocalAccount } from "viem";
import { getTransactionCount } from "viem/actions";
import { stringToHex } from "viem/utils";
import type { AuthorizationSigner, BareWallet } from "../guard/bare-wallet.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import { readCallsId, writeCalls } from "../guard/write-calls.ts";
import type { Hex } from "../types.ts";
import { sendExactly, type AnyWallet } from "./send-exactly.ts";
import { sendInOrder } from "./send-in-order.ts";
import { accountOf } from "./signer.ts";

export function bareWalletOf(wallet: AnyWallet): BareWallet {
  const account = accountOf(wallet);
  return {
    address: account.address,
    chainId: wallet.chain?.id,
    readChainId: () => wallet.getChainId(),
    ask: (method, params) => wallet.request({ method, params } as never, { retryCount: 0 }),
    send: (exact) => sendExactly(wallet, exact),
    batches:
      account.type === "local"
        ? { isAtomic: false, send: (calls, maxFee) => sendInOrder(wallet, calls, maxFee) }
        : { isAtomic: true, send: (calls) => haveSentBatch(wallet, calls) },
    signTypedData: (typedData) =>
      account.type === "local"
        ? account.signTypedData(typedDataDefinition(typedData))
        : haveSigned(wallet, "eth_signTypedData_v4", [account.address, writeTypedData(typedData)]),
    signMessage: (message) =>
      account.type === "local"
        ? account.signMessage({ message })
        : haveSigned(wallet, "personal_sign", [stringToHex(message), account.address]),
    ...authorizationsOf(wallet, account),
  };
}

/** No JSON-RPC method signs authorizations, so only an account with its key does. */
function authorizationsOf(
  wallet: AnyWallet,
  account: Account,
): { readonly authorizations?: AuthorizationSigner } {
  const sign = account.type === "local" ? account.signAuthorization : undefined;
  if (sign === undefined) return {};
  return {
    authorizations: {
      readNonce: () => getTransactionCount(wallet, { address: account.address, blockTag: "pending" }),
      sign: (authorization) => signTuple(sign, authorization),
    },
  };
}

type SignTuple = NonNullable<LocalAccount["signAuthorization"]>;

async function signTuple(sign: SignTuple, { chainId, address, nonce }: Authorization): Promise<Hex> {
  const { r, s, yParity } = await sign({ chainId, address, nonce: Number(nonce) });
  return serializeSignature({ r, s, yParity: yParity ?? 0 });
}

/** The wallet holds the key, and decides how it executes a batch. It is asked once. */
const haveSentBatch = (wallet: AnyWallet, calls: Calls): Promise<string> =>
  explainWallet("send", async () =>
    readCallsId(
      await wallet.request({ method: "wallet_sendCalls", params: [writeCalls(calls)] } as never, {
        retryCount: 0,
      }),
    ),
  );

/** The wallet holds the key. It gets the canonical form, and is asked once. */
const haveSigned = (wallet: AnyWallet, method: string, params: readonly string[]): Promise<Hex> =>
  explainWallet("sign", () => wallet.request({ method, params } as never, { retryCount: 0 }));
