// Sends exactly the approved call. A node or wallet client cannot add anything to it, such as a data suffix, another
// chain or an authorization.
import type { Account, Chain, LocalAccount, Transport, WalletClient } from "viem";
import { numberToHex } from "viem/utils";
import { CountersignError } from "../errors.ts";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";
import type { ExactCall, Fees } from "./read-send.ts";
import { accountOf } from "./signer.ts";

export type AnyWallet = WalletClient<Transport, Chain | undefined, Account>;

type Exact = {
  readonly call: ExactCall;
  readonly fees: Fees;
  readonly chainId: number;
  readonly maxFee: bigint;
};

export async function sendExactly(wallet: AnyWallet, exact: Exact): Promise<Hex> {
  const account = accountOf(wallet);
  try {
    return account.type === "local"
      ? await signAndSend(wallet, account, exact)
      : await haveSent(wallet, account.address, exact);
  } catch (error) {
    if (error instanceof NotApprovedError) throw error;
    // A viem error would make the guarded client retry with another method.
    const why = error instanceof Error ? error.message : String(error);
    throw new CountersignError(`Approved, but the wallet did not send it: ${why}`, { cause: error });
  }
}

/** The wallet holds the key and signs. */
async function haveSent(wallet: AnyWallet, from: Hex, exact: Exact): Promise<Hex> {
  const { call, fees, chainId, maxFee } = exact;
  // The wallet fills in the rest and shows it to its owner.
  checkFee(fees, maxFee);
  const { type, ...numbers } = fees;
  const written = Object.entries(numbers).map(([name, amount]) => [name, numberToHex(amount)]);
  const request = {
    ...(Object.fromEntries(written) as object),
    ...(type === undefined ? {} : { type: type === "legacy" ? "0x0" : "0x2" }),
    ...{ from, to: call.to, data: call.data },
    ...{ value: numberToHex(call.value), chainId: numberToHex(chainId) },
  };
  return ask(wallet, "eth_sendTransaction", request);
}

/** We hold the key. The node provides fees, gas and nonce; everything else in its response is ignored. */
async function signAndSend(wallet: AnyWallet, account: LocalAccount, exact: Exact): Promise<Hex> {
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

/** An approval does not cover the fee, which could otherwise spend the whole balance. */
function checkFee({ gas, gasPrice, maxFeePerGas }: Fees, maxFee: bigint): void {
  const fee = (gas ?? 0n) * (maxFeePerGas ?? gasPrice ?? 0n);
  if (fee > maxFee)
    throw new NotApprovedError(`Not sent: the fee of up to ${fee} wei exceeds the limit of ${maxFee} wei`);
}

function priceOf({ type, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Fees): object {
  if (type === "legacy") return { type, nonce, gas, gasPrice };
  if (type === "eip1559") return { type, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
  throw new CountersignError(`transactions of type ${String(type)} cannot be approved`);
}

/** Sends once, without retries: a request without a response may have been sent. */
const ask = (wallet: AnyWallet, method: string, what: unknown): Promise<Hex> =>
  wallet.request({ method, params: [what] } as never, { retryCount: 0 });
