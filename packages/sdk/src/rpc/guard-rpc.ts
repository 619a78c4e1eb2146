// A node's JSON-RPC for a program that holds its own key. Nothing that it signs reaches the chain unless it is approved.
import { hexToNumber, isHex } from "viem/utils";
import type { BareProvider } from "../eip1193/bare-provider.ts";
import { readChainId } from "../eip1193/bare-wallet.ts";
import { explainToApps } from "../eip1193/error-codes.ts";
import { guardProvider, type GuardedProvider } from "../eip1193/guard-provider.ts";
import { CountersignError } from "../errors.ts";
import type { Ask } from "../fresh/simulate-fresh.ts";
import type { BareWallet } from "../guard/bare-wallet.ts";
import { checkFee, defaultMaxFee } from "../guard/check-fee.ts";
import { NotApprovedError } from "../guard/not-approved.ts";
import { sendApproved } from "../guard/send-approved.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import type { Hex } from "../types.ts";
import { readRaw, type SignedTransaction } from "./read-raw.ts";
import type { RpcOptions } from "./rpc-options.ts";

/**
 * Wraps a node's provider so that also `eth_sendRawTransaction` is proposed with the user's request: the transaction, which the program
 * has signed itself, is read, verified and, once approved, sent unchanged. All other methods are those of `guardProvider`. Put it behind
 * the RPC URL of a program whose code you cannot change. Signed transactions are sent one after the other.
 *
 * @example
 * const guarded = guardRpc({ request: node.request }, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await guarded.request({ method: "eth_sendRawTransaction", params: [signed] });
 */
export function guardRpc(node: BareProvider, options: RpcOptions): Pick<GuardedProvider, "request"> {
  const guarded = guardProvider(node, options);
  const ask: Ask = (method, params) => node.request({ method, params } as never);
  const sendInTurn = makeTurns();
  /** A program that gets no answer sends the same transaction again. */
  const known = new Map<Hex, Promise<Hex>>();

  const sendOnce = (signed: SignedTransaction, words: string): Promise<Hex> => {
    const before = known.get(signed.hash);
    if (before !== undefined) return before;
    const sent = sendInTurn(() => sendSigned(signed, ask, { ...options, words }));
    known.set(signed.hash, sent);
    // It may be tried again after a refusal.
    sent.catch(() => known.delete(signed.hash));
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    return sent;
  };

  const sendRaw = async (params: unknown): Promise<Hex> => {
    const signed = await readRaw(params);
    checkFee(signed.send.fees, options.maxFee ?? defaultMaxFee);
    const { words, onHeld } = options;
    const sent = sendOnce(signed, typeof words === "string" ? words : await words(signed.send.call));
    if (onHeld === undefined) return sent;
    onHeld(signed.hash, sent);
    return signed.hash;
  };

  const request = async (asked: { readonly method: string; readonly params?: unknown }): Promise<unknown> =>
    asked.method === "eth_sendRawTransaction"
      ? explainToApps("eth_sendTransaction", sendRaw(asked.params))
      : guarded.request(asked);
  return Object.freeze({ request: request as GuardedProvider["request"] });
}

const maxKnown = 1000;

/** Runs one action after the other, in the order of the calls, also after a failure. */
function makeTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act, act);
    last = turn.catch(() => undefined);
    return turn;
  };
}

async function sendSigned(signed: SignedTransaction, ask: Ask, options: RpcOptions): Promise<Hex> {
  const { raw, from, chainId, send } = signed;
  await checkNonce(signed, ask);
  const wallet: BareWallet = {
    ...{ address: from, chainId, ask },
    readChainId: async () => readChainId(await ask("eth_chainId", [])),
    send: async () => {
      await checkNonce(signed, ask);
      return explainWallet("send", async () => (await ask("eth_sendRawTransaction", [raw])) as Hex);
    },
    signTypedData: () => Promise.reject(new NotApprovedError("Not signed: the program holds the key")),
  };
  return sendApproved(wallet, send, options);
}

/** A transaction that waits for an earlier one could be executed much later, when it is no longer wanted. */
async function checkNonce({ from, nonce }: SignedTransaction, ask: Ask): Promise<void> {
  const answer = await ask("eth_getTransactionCount", [from, "pending"]);
  if (!isHex(answer)) throw new CountersignError("The node did not return the account's nonce");
  const next = hexToNumber(answer);
  if (nonce > next)
    throw new NotApprovedError(
      `Not sent: its nonce ${nonce} waits for a transaction that was not sent. The next nonce is ${next}`,
    );
}
