// A provider as the guards' core needs it. The wallet behind it holds the key.
import { writeTypedData } from "@countersign/wire";
import { isAddress, stringToHex } from "viem/utils";
import { CountersignError } from "../errors.ts";
import type { BareWallet } from "../guard/bare-wallet.ts";
import { checkFee } from "../guard/check-fee.ts";
import type { Request } from "../guard/guard-requests.ts";
import { readChain } from "../guard/read-chain.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import { readCallsId, writeCalls } from "../guard/write-calls.ts";
import { writeSend } from "../guard/write-send.ts";
import type { Hex } from "../types.ts";

export function bareWalletOf(request: Request, address: Hex): BareWallet {
  const wallet: BareWallet = {
    address,
    readChainId: async () => readChainId(await request({ method: "eth_chainId" })),
    ask: (method, params) => request({ method, params }),
    send: async (exact) => {
      checkFee(exact.fees, exact.maxFee);
      // The owner may have switched the wallet to another chain meanwhile, and some wallets ignore the request's.
      await readChain(wallet, exact.chainId, "Not sent");
      return explainWallet("send", () => ask(request, "eth_sendTransaction", [writeSend(exact, address)]));
    },
    batches: {
      isAtomic: true,
      send: async (calls) => {
        await readChain(wallet, calls.chainId, "Not sent");
        return explainWallet("send", async () =>
          readCallsId(await request({ method: "wallet_sendCalls", params: [writeCalls(calls)] })),
        );
      },
    },
    signTypedData: (typedData) =>
      explainWallet("sign", () => ask(request, "eth_signTypedData_v4", [address, writeTypedData(typedData)])),
    signMessage: (message) =>
      explainWallet("sign", () => ask(request, "personal_sign", [stringToHex(message), address])),
  };
  return wallet;
}

/** Returns the account that the wallet uses if a request names none. */
export async function findAccount(request: Request): Promise<Hex> {
  const accounts = await request({ method: "eth_accounts" });
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof first === "string" && isAddress(first, { strict: false })) return first;
  throw new CountersignError("The wallet has no account: call eth_requestAccounts first");
}

async function ask(request: Request, method: string, params: readonly unknown[]): Promise<Hex> {
  const answer = await request({ method, params });
  if (typeof answer === "string" && /^0x[0-9a-f]+$/i.test(answer)) return answer as Hex;
  throw new CountersignError("its answer is not hex");
}

/** Wallets return hex; some return a decimal number or string. */
export function readChainId(answer: unknown): number {
  const chainId = typeof answer === "number" || typeof answer === "string" ? Number(answer) : Number.NaN;
  if (Number.isSafeInteger(chainId) && chainId > 0) return chainId;
  throw new CountersignError("The wallet did not return its chain");
}
