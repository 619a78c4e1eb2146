// Sends a batch with a local key: one transaction per call, in order, each after the one before it succeeded.
import type { BatchCall, Calls } from "@countersign/wire";
import { waitForTransactionReceipt } from "viem/actions";
import { concat, numberToHex } from "viem/utils";
import type { Hex } from "../types.ts";
import { sendExactly, type AnyWallet } from "./send-exactly.ts";

/** By these viem knows an id that is a list of transactions, and a call that was not sent. */
const listMark: Hex = `0x${"5792".repeat(16)}`;
const notSent: Hex = `0x${"00".repeat(32)}`;

/**
 * Returns an id that viem's `getCallsStatus` reads: the transactions' hashes. Stops at the first call that fails or reverts, and the id
 * then says which calls were not sent. Throws if the first one could not be sent. All fees together are at most `maxFee`.
 */
export async function sendInOrder(
  wallet: AnyWallet,
  { chainId, calls }: Calls,
  maxFee: bigint,
): Promise<string> {
  const hashes: Hex[] = [];
  const share = maxFee / BigInt(calls.length);
  for (const call of calls) {
    const hash = await send(wallet, call, { chainId, maxFee: share }).catch((error: unknown) => {
      if (hashes.length === 0) throw error;
      return undefined;
    });
    if (hash === undefined) break;
    hashes.push(hash);
    if (!(await hasSucceeded(wallet, hash))) break;
  }
  const missing = calls.slice(hashes.length).map(() => notSent);
  return concat([...hashes, ...missing, numberToHex(chainId, { size: 32 }), listMark]);
}

const send = (
  wallet: AnyWallet,
  { to, value, data }: BatchCall,
  terms: { readonly chainId: number; readonly maxFee: bigint },
): Promise<Hex> => sendExactly(wallet, { call: { to, value: BigInt(value), data }, fees: {}, ...terms });

/** False also if it is not known in time: the next call may depend on it. */
const hasSucceeded = (wallet: AnyWallet, hash: Hex): Promise<boolean> =>
  waitForTransactionReceipt(wallet, { hash }).then(
    ({ status, transactionHash }) => status === "success" && transactionHash === hash,
    () => false,
  );
