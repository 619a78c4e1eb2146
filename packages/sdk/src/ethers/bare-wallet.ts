// A Signer as the guards' core needs it.
import { Transaction, type Provider, type Signer } from "ethers";
import { bareWalletOf as bareProviderWallet } from "../eip1193/bare-wallet.ts";
import { CountersignError } from "../errors.ts";
import type { Ask } from "../fresh/simulate-fresh.ts";
import type { BareWallet, ExactSend } from "../guard/bare-wallet.ts";
import { checkFee } from "../guard/check-fee.ts";
import type { Fees } from "../guard/read-send.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import type { Hex } from "../types.ts";
import { isJsonRpc, requestOf } from "./guard-reads.ts";

export function bareWalletOf(signer: Signer, provider: Provider, address: Hex): BareWallet {
  // A signer of a node or a browser wallet, which holds the key. It is asked as any provider is.
  if ("sendUncheckedTransaction" in signer && isJsonRpc(provider))
    return bareProviderWallet(requestOf(provider), address);
  return {
    address,
    readChainId: async () => Number((await provider.getNetwork()).chainId),
    ...(isJsonRpc(provider) ? { ask: askOf(provider) } : {}),
    send: (exact) => explainWallet("send", () => signAndSend(signer, provider, { exact, address })),
    signTypedData: ({ domain, types, message }) =>
      explainWallet(
        "sign",
        async () => (await signer.signTypedData(domain, structuredClone(types) as never, message)) as Hex,
      ),
    signMessage: (message) => explainWallet("sign", async () => (await signer.signMessage(message)) as Hex),
    authorizations: {
      readNonce: () => provider.getTransactionCount(address, "pending"),
      sign: ({ nonce, ...tuple }) =>
        explainWallet(
          "sign",
          async () =>
            (await signer.authorize({ ...tuple, nonce: BigInt(nonce) })).signature.serialized as Hex,
        ),
    },
  };
}

const askOf = (provider: Parameters<typeof requestOf>[0]): Ask => {
  const request = requestOf(provider);
  return (method, params) => request({ method, params });
};

type Sending = { readonly exact: ExactSend; readonly address: Hex };

/** The node provides fees, gas and nonce; everything else in its response is ignored. */
async function signAndSend(signer: Signer, provider: Provider, { exact, address }: Sending): Promise<Hex> {
  const { call, chainId, maxFee } = exact;
  const asked = { ...call, chainId, ...writeFees(exact.fees) };
  const price = { ...readFees(await signer.populateTransaction({ ...asked, from: address })), ...exact.fees };
  checkFee(price, maxFee);
  const exactly = { ...call, chainId, ...priceOf(price) };
  const signed = Transaction.from(await signer.signTransaction(exactly));
  const { unsignedSerialized } = Transaction.from(exactly);
  if (signed.unsignedSerialized !== unsignedSerialized || !isFrom(signed, address))
    throw new CountersignError("it signed another transaction");
  return (await provider.broadcastTransaction(signed.serialized)).hash as Hex;
}

const isFrom = ({ from }: Transaction, address: Hex): boolean =>
  from?.toLowerCase() === address.toLowerCase();

function writeFees({ gas, type, ...others }: Fees): object {
  return {
    ...others,
    ...(gas === undefined ? {} : { gasLimit: gas }),
    ...(type === undefined ? {} : { type: type === "legacy" ? 0 : 2 }),
  };
}

type Populated = Awaited<ReturnType<Signer["populateTransaction"]>>;

function readFees(populated: Populated): Fees {
  const { gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, type } = populated;
  return {
    ...amountOf("gas", gasLimit),
    ...amountOf("gasPrice", gasPrice),
    ...amountOf("maxFeePerGas", maxFeePerGas),
    ...amountOf("maxPriorityFeePerGas", maxPriorityFeePerGas),
    ...(nonce === undefined || nonce === null ? {} : { nonce }),
    ...(type === 0 ? { type: "legacy" as const } : {}),
    ...(type === 2 ? { type: "eip1559" as const } : {}),
  };
}

const amountOf = (name: string, amount: Populated["gasLimit"]): object =>
  amount === undefined || amount === null ? {} : { [name]: BigInt(amount) };

function priceOf({ type, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Fees): object {
  if (type === "legacy") return { type: 0, nonce, gasLimit: gas, gasPrice };
  if (type === "eip1559") return { type: 2, nonce, gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas };
  throw new CountersignError("transactions of its type cannot be approved");
}
