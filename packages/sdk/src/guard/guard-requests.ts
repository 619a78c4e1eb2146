// Guards a wallet's JSON-RPC methods: four of them go through approval, reads pass, and all others are refused.
import type { Hex } from "../types.ts";
import type { BareWallet } from "./bare-wallet.ts";
import type { GuardOptions } from "./guard-options.ts";
import { NotApprovedError } from "./not-approved.ts";
import { readCalls } from "./read-calls.ts";
import { readMessage } from "./read-message.ts";
import { readSend } from "./read-send.ts";
import { readTypedData } from "./read-typed-data.ts";
import { isRead } from "./reads.ts";
import { explainRefusal } from "./refused-methods.ts";
import { sendApproved } from "./send-approved.ts";
import { sendCallsApproved } from "./send-calls-approved.ts";
import { signMessageApproved, signTypedDataApproved } from "./sign-approved.ts";

type Asked = { readonly method: string; readonly params?: unknown };
export type Request = (asked: Asked) => Promise<unknown>;

export type Requests = {
  /** The only account, if there is only one. */
  readonly address?: Hex;
  /** Answers `eth_accounts` and `eth_requestAccounts`. */
  readonly accounts: Request;
  /** Returns the wallet for the account that a request names. */
  readonly walletOf: (from: Hex | undefined) => BareWallet | Promise<BareWallet>;
  /** Asks the node. */
  readonly read: Request;
};

/** Passes reads, and refuses every other method. */
export const guardReads =
  ({ accounts, read }: Pick<Requests, "accounts" | "read">): Request =>
  async ({ method, params }) => {
    if (method === "eth_accounts" || method === "eth_requestAccounts") return accounts({ method });
    if (isRead(method)) return read({ method, params });
    throw new NotApprovedError(explainRefusal(method));
  };

/** Returns the guarded `request`. Parameters are copied before anything is awaited. */
export const guardRequests = (
  { address, walletOf, ...reading }: Requests,
  options: GuardOptions,
): Request => {
  const others = guardReads(reading);
  return async (asked) => {
    const { method, params } = asked;
    if (method === "eth_sendTransaction") {
      const send = readSend(params, address);
      return sendApproved(await walletOf(send.from), send, options);
    }
    if (method === "eth_signTypedData_v4") {
      const { from, typedData } = readTypedData(params, address);
      return signTypedDataApproved(await walletOf(from), typedData, options);
    }
    if (method === "personal_sign") {
      const { from, message } = readMessage(params, address);
      return signMessageApproved(await walletOf(from), message, options);
    }
    if (method === "wallet_sendCalls") {
      const { from, parse } = readCalls(params, address);
      const wallet = await walletOf(from);
      return sendCallsApproved(wallet, parse(wallet.address), options);
    }
    return others(asked);
  };
};
