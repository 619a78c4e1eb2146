// A viem wallet that sends only approved transactions and signs only approved typed data. It wraps `request`, which every wallet action goes through, so that
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
import { hashTypedData, type TypedData } from "@countersign/wire";
import type { Countersign } from "../client.ts";
import { CountersignError } from "../errors.ts";
import type { Call, Hex, TypedData as TypedDataInput } from "../types.ts";
import type { WaitOptions } from "../wait.ts";
import type { ApprovalOptions } from "./approval-options.ts";
import type { Asked } from "./check-approval.ts";
import { checkTrust, getApproved } from "./get-approved.ts";
import { NotApprovedError } from "./not-approved.ts";
import { readSend, type Send } from "./read-send.ts";
import { readTypedData } from "./read-typed-data.ts";
import { isRead } from "./reads.ts";
import { sendExactly, type AnyWallet } from "./send-exactly.ts";
import { releaseOnce, signExactly } from "./sign-exactly.ts";
import { accountOf } from "./signer.ts";

/** Options of `guard`. */
export type GuardOptions = ApprovalOptions & {
  /** The user's request, or a function that returns it for a call. */
  readonly words: string | ((call: Call) => string | Promise<string>);
  /** Returns the user's request for data to sign. Required to sign if `words` is a function. */
  readonly wordsToSign?: (typedData: TypedDataInput) => string | Promise<string>;
  /** The maximum network fee in wei. Default: 10^17, a tenth of the native token. */
  readonly maxFee?: bigint;
};

/**
 * Wraps a wallet so that it proposes each transaction and each EIP-712 signature with the user's request. It sends or
 * signs only what is approved exactly, and lets a signature out once. It signs nothing else, because a signature can
 * move money too. Use `findNotApproved` to detect its refusals.
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
    if (method === "eth_signTypedData_v4")
      return signApproved(inner, readTypedData(params, address), options);
    if (isRead(method)) return inner.request({ method, params } as never);
    throw new NotApprovedError(
      `${method} is not allowed: this wallet only sends approved transactions and signs approved typed data`,
    );
  };
  const { chain, pollingInterval, cacheTime } = wallet;
  return createWalletClient({
    ...{ account: address, chain, pollingInterval, cacheTime },
    // A refused transaction must not be proposed again.
    transport: custom({ request }, { retryCount: 0 }),
  });
}

async function sendApproved(wallet: AnyWallet, send: Send, options: GuardOptions): Promise<Hex> {
  const { countersign, words } = options;
  const { call, fees } = send;
  const chainId = await readChain(wallet, send.chainId, "Not sent");
  const asked: Asked = {
    ...{ call, chainId, escrow: accountOf(wallet).address },
    words: typeof words === "string" ? words : await words(call),
  };
  const proposal = { tx: call, chainId, escrowAddress: asked.escrow, userPrompt: asked.words };
  const approved = await getApproved(asked, proposal, options);
  const { decided, wait } = approved;
  // The owner's custodian sends it.
  if (decided.executor === "service") return waitForExecution(countersign, decided.requestHash, wait);
  await checkTrust(approved, asked, options);
  return sendExactly(wallet, { call, fees, chainId, maxFee: options.maxFee ?? 10n ** 17n });
}

async function signApproved(wallet: AnyWallet, typedData: TypedData, options: GuardOptions): Promise<Hex> {
  const { countersign } = options;
  const chainId = await readChain(wallet, typedData.domain.chainId, "Not signed");
  const signingHash = hashTypedData(typedData);
  const asked: Asked = {
    ...{ typedData, signingHash, chainId, escrow: accountOf(wallet).address },
    words: await readWordsToSign(typedData, options),
  };
  const proposal = { typedData, chainId, escrowAddress: asked.escrow, userPrompt: asked.words };
  const approved = await getApproved(asked, proposal, options);
  await checkTrust(approved, asked, options);
  const signature = await signExactly(wallet, { typedData, signingHash });
  return releaseOnce(countersign, { requestHash: approved.decided.requestHash, signingHash, signature });
}

async function readWordsToSign(typedData: TypedData, { words, wordsToSign }: GuardOptions): Promise<string> {
  if (wordsToSign !== undefined) return wordsToSign(typedData);
  if (typeof words === "string") return words;
  throw new NotApprovedError("Not signed: the guard needs wordsToSign, the user's request for data to sign");
}

/** Returns the wallet's chain. All specified chains must agree. */
async function readChain(
  wallet: AnyWallet,
  chainId: number | undefined,
  refusal: "Not sent" | "Not signed",
): Promise<number> {
  const found = await wallet.getChainId();
  if ((wallet.chain?.id ?? found) !== found || (chainId ?? found) !== found)
    throw new NotApprovedError(`${refusal}: the wallet is on chain ${found}`);
  return found;
}

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
