// Sends an owner's transactions, one after the other, with the nonce and the fees known in advance: one request each.
import type { Hex, PrivateKeyAccount } from "viem";
import { keccak256, parseGwei } from "viem";
import type { Call, Chain } from "../stage/chain.ts";

/** `onSigned` is called with the hash before it is sent. */
export type Send = (call: Call, onSigned: (hash: Hex) => void) => Promise<void>;

/** Of a transfer to an account without code. */
const gas = 21_000n;
const fees = { maxFeePerGas: parseGwei("100"), maxPriorityFeePerGas: parseGwei("1") };

export function makeSender({ client }: Chain, account: PrivateKeyAccount): Send {
  let nonce = 0;
  let last: Promise<unknown> = Promise.resolve();
  let chainId: Promise<number> | undefined;
  return async (call, onSigned) => {
    chainId ??= client.getChainId();
    const transaction = {
      ...call,
      ...fees,
      gas,
      nonce: nonce++,
      type: "eip1559",
      chainId: await chainId,
    } as const;
    const bytes = await account.signTransaction(transaction);
    onSigned(keccak256(bytes));
    const sent = last.then(() => client.sendRawTransaction({ serializedTransaction: bytes }));
    last = sent.catch(() => undefined);
    await sent;
  };
}
