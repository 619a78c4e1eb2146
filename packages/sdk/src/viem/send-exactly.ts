// Sends exactly the approved call. A node or wallet client cannot add anything to it, such as a data suffix, another
// chain or an authorization.
import type { Account, Chain, LocalAccount, Transport, WalletClient } from "viem";
import { CountersignError } from "../errors.ts";
import type { ExactSend } from "../guard/bare-wallet.ts";
import { checkFee } from "../guard/check-fee.ts";
import type { Fees } from "../guard/read-send.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import { writeSend } from "../guard/write-send.ts";
import type { Hex } from "../types.ts";
import { accountOf } from "./signer.ts";

export type AnyWallet = WalletClient<Transport, Chain | undefined, Account>;

export function sendExactly(wallet: AnyWallet, exact: ExactSend): Promise<Hex> {
  const account = accountOf(wallet);
  return explainWallet("send", () =>
    account.type === "local" ? signAndSend(wallet, account, exact) : haveSent(wallet, account.address, exact),
  );
}

/** The wallet holds the key. It fills in the rest and shows it to its owner. */
async function haveSent(wallet: AnyWallet, from: Hex, exact: ExactSend): Promise<Hex> {
  checkFee(exact.fees, exact.maxFee);
  return ask(wallet, "eth_sendTransaction", writeSend(exact, from));
}

/** We hold the key. The node provides fees, gas and nonce; everything else in its response is ignored. */
async function signAndSend(wallet: AnyWallet, account: LocalAccount, exact: ExactSend): Promise<Hex> {
  const { call, fees, chainId, maxFee } = exact;
  const { nonceManager } = account;
  try {
    const prepared: unknown = await wallet.prepareTransactionRequest({
      ...{ account, nonceManager, chainId, ...call, ...fees },
      parameters: ["nonce", "fees", "gas", "type"],
    } as never);
    const price = { ...(prepared as Fees), ...fees };
    checkFee(price, maxFee);
    const transaction = { ...priceOf(price), ...call, chainId };
    const serializer = wallet.chain?.serializers?.transaction;
    const signed = await account.signTransaction(
      transaction as never,
      serializer === undefined ? {} : { serializer },
    );
    return await ask(wallet, "eth_sendRawTransaction", signed);
  } catch (error) {
    nonceManager?.reset({ address: account.address, chainId });
    throw error;
  }
}

function priceOf({ type, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Fees): object {
  if (type === "legacy") return { type, nonce, gas, gasPrice };
  if (type === "eip1559") return { type, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  throw new CountersignError(`transactions of type ${String(type)} cannot be approved`);
}

/** Sends once, without retries: a request without a response may have been sent. */
const ask = (wallet: AnyWallet, method: string, what: unknown): Promise<Hex> =>
  wallet.request({ method, params: [what] } as never, { retryCount: 0 });
