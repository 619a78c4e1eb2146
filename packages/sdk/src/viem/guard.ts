// A viem wallet that sends only approved transactions. It wraps `request`, which every wallet action goes through, so that
// unknown methods are rejected.
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

/** Options of `guard`. */
export type GuardOptions = {
  readonly countersign: Countersign;
  /** The user's request, or a function that returns it for a call. */
  readonly words: string | ((call: Call) => string | Promise<string>);
  /**
   * Trusted facts about the installation (see `fetchTrust`). If set, the guard verifies the verdict's signature before it
   * sends. Otherwise it trusts the service.
   */
  readonly trust?: Trust;
  /** The maximum network fee in wei. Default: 10^17, a tenth of the native token. */
  readonly maxFee?: bigint;
  /** Milliseconds to wait for the verdict and the owner. Default: 600,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with every change of the proposal until it is decided. */
  readonly onProgress?: (transaction: TransactionView) => void;
};

/**
 * Wraps a wallet so that it proposes each transaction with the user's request and sends it only once it is approved. It
 * signs nothing else, because a signature can move money too. Use `findNotApproved` to detect its refusals.
 *
 * @example
 * const wallet = guard(bare, { countersign, words: "Send 0.01 ETH to 0x742d…f44e" });
 * await wallet.sendTransaction({ to, value: parseEther("0.01") });
 * @throws CountersignError for a smart account.
 */
export function guard<C extends Chain | undefined>(
  wallet: WalletClient<Transport, C, Account>,
  options: GuardOptions,
): WalletClient<Transport, C, JsonRpcAccount> {
  const inner = wallet as unknown as AnyWallet;
  const { address, type } = accountOf(inner);
  if (type === "smart")
    throw new CountersignError(
      "A smart account cannot be guarded: it does not send through the wallet client",
    );
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [address];
    if (method === "eth_sendTransaction") return sendApproved(inner, readSend(params, address), options);
    if (isRead(method)) return inner.request({ method, params } as never);
    throw new NotApprovedError(`${method} is not allowed: this wallet only sends approved transactions`);
  };
  const { chain, pollingInterval, cacheTime } = wallet;
  return createWalletClient({
    ...{ account: address, chain, pollingInterval, cacheTime },
    // A refused transaction must not be proposed again.
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
  // The owner's custodian sends it.
  if (decided.executor === "service") return waitForExecution(countersign, requestHash, waitOf(options));
  if (trust !== undefined) await checkReceipt({ countersign, trust }, decided, asked);
  signal?.throwIfAborted();
  return sendExactly(wallet, { call, fees, chainId, maxFee: options.maxFee ?? 10n ** 17n });
}

/** Returns the wallet's chain. All specified chains must agree. */
async function readChain(wallet: AnyWallet, { chainId }: Send): Promise<number> {
  const found = await wallet.getChainId();
  if ((wallet.chain?.id ?? found) !== found || (chainId ?? found) !== found)
    throw new NotApprovedError(`Not sent: the wallet is on chain ${found}`);
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
