// A viem wallet that sends only what was approved. Everything that a client can do with a wallet goes through its
// `request`, so that is where it stands: a method that nobody thought of is refused, not let through.
import {
  createWalletClient,
  custom,
  type Account,
  type Chain,
  type JsonRpcAccount,
  type Transport,
  type WalletClient,
} from "viem";
import type { Countersign } from "../client.ts";
import { CountersignError } from "../errors.ts";
import type { Trust } from "../receipt/verify-receipt.ts";
import type { Call, Hex, TransactionView } from "../types.ts";
import type { WaitOptions } from "../wait.ts";
import { checkReceipt, checkRecord, type Asked } from "./check-approval.ts";
import { NotApprovedError } from "./not-approved.ts";
import { readSend, type Send } from "./read-send.ts";
import { isRead } from "./reads.ts";
import { sendExactly, type AnyWallet } from "./send-exactly.ts";
import { accountOf } from "./signer.ts";

export type GuardOptions = {
  readonly countersign: Countersign;
  /** What the person asked for: the words of now, or how to find them for a call. */
  readonly words: string | ((call: Call) => string | Promise<string>);
  /**
   * What you know of the installation from elsewhere (see `fetchTrust`). With it the arbiter's signature is checked here
   * before anything is sent; without it the service's word is taken.
   */
  readonly trust?: Trust;
  /** The most that the network may be paid for it, in wei. A tenth of the chain's coin, unless it is said. */
  readonly maxFee?: bigint;
  /** How long the arbiter and the owner may take. Ten minutes, unless it is said. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (transaction: TransactionView) => void;
};

/**
 * The same wallet, which proposes whatever it is asked to send, with the words, and sends it once it is approved, and not
 * otherwise. It signs nothing else: a signature can move money too. What it refuses, `findNotApproved` finds in the error.
 */
export function guard<C extends Chain | undefined>(
  wallet: WalletClient<Transport, C, Account>,
  options: GuardOptions,
): WalletClient<Transport, C, JsonRpcAccount> {
  const inner = wallet as unknown as AnyWallet;
  const { address, type } = accountOf(inner);
  if (type === "smart")
    throw new CountersignError("A smart account cannot be guarded: it sends by other ways");
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [address];
    if (method === "eth_sendTransaction") return sendApproved(inner, readSend(params, address), options);
    if (isRead(method)) return inner.request({ method, params } as never);
    throw new NotApprovedError(`${method} is refused: this wallet sends what was approved, and nothing else`);
  };
  const { chain, pollingInterval, cacheTime } = wallet;
  return createWalletClient({
    ...{ account: address, chain, pollingInterval, cacheTime },
    // One question is one question: what was refused is not asked again.
    transport: custom({ request }, { retryCount: 0 }),
  });
}

async function sendApproved(wallet: AnyWallet, send: Send, options: GuardOptions): Promise<Hex> {
  const { countersign, words, trust, signal } = options;
  const { call, fees } = send;
  const chainId = await readChain(wallet, send);
  const asked: Asked = {
    ...{ call, chainId, escrow: accountOf(wallet).address },
    words: typeof words === "string" ? words : await words(call),
  };
  const { requestHash } = await countersign.propose(
    { tx: call, chainId, escrowAddress: asked.escrow, userPrompt: asked.words },
    signal === undefined ? {} : { signal },
  );
  const decided = await countersign.waitForStatus(requestHash, ["APPROVED"], waitOf(options));
  checkRecord(decided, requestHash, asked);
  // Somebody keeps this wallet for its owner, and sends for it.
  if (decided.executor === "service") return waitForExecution(countersign, requestHash, waitOf(options));
  if (trust !== undefined) await checkReceipt({ countersign, trust }, decided, asked);
  signal?.throwIfAborted();
  return sendExactly(wallet, { call, fees, chainId, maxFee: options.maxFee ?? 10n ** 17n });
}

/** Where the wallet is. Everybody who has said where it should be must have said the same. */
async function readChain(wallet: AnyWallet, { chainId }: Send): Promise<number> {
  const found = await wallet.getChainId();
  if ((wallet.chain?.id ?? found) !== found || (chainId ?? found) !== found)
    throw new NotApprovedError(`Not sent: the wallet is on another chain, ${found}`);
  return found;
}

const waitOf = ({ timeoutMs, signal, onProgress }: GuardOptions): WaitOptions => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(signal === undefined ? {} : { signal }),
  ...(onProgress === undefined ? {} : { onProgress }),
});

async function waitForExecution(
  countersign: Countersign,
  requestHash: string,
  wait: WaitOptions,
): Promise<Hex> {
  const executed = await countersign.waitForStatus(requestHash, ["EXECUTED"], wait);
  const { status, reason, reasonDetail, transactionHash } = executed;
  if (status !== "EXECUTED" || transactionHash === null)
    throw new NotApprovedError(`Not sent: ${reasonDetail ?? reason ?? status}`, executed);
  return transactionHash as Hex;
}
