// A signer for x402 clients that signs only approved payments.
import { typedDataDefinition } from "@countersign/wire";
import { WaitTimeoutError } from "../errors.ts";
import type { BareWallet } from "../guard/bare-wallet.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { findNotApproved, NotApprovedError } from "../guard/not-approved.ts";
import { readTypedData } from "../guard/read-typed-data.ts";
import { signTypedDataApproved } from "../guard/sign-approved.ts";
import { explainWallet } from "../guard/wallet-errors.ts";
import type { Hex } from "../types.ts";
import { bareWalletOf } from "../viem/bare-wallet.ts";
import type { AnyWallet } from "../viem/send-exactly.ts";
import { signerOf, type Wallet } from "../viem/signer.ts";
import type { Payment, PaymentOptions } from "./payment-options.ts";
import { readPayment } from "./read-payment.ts";

/** The signer that `ExactEvmScheme` and other parts of `@x402/evm` take. It has no other members than these two. */
export type PaymentSigner = {
  /** The account that pays. */
  readonly address: Hex;
  /** Signs a payment once it is approved. Rejects all other data with a NotApprovedError. */
  readonly signTypedData: (typedData: {
    domain: Record<string, unknown>;
    types: Record<string, unknown>;
    primaryType: string;
    message: Record<string, unknown>;
  }) => Promise<Hex>;
};

/**
 * Returns a signer for an x402 client that proposes each payment with the user's request, and signs exactly the
 * approved payment, once. It signs only EIP-3009 payments on the given networks; no permits, batches or transactions.
 *
 * @example
 * const signer = guardPayments(account, { countersign, networks: ["eip155:8453"], words: "Pay at most 0.05 USDC to 0x742d…f44e within 5 minutes" });
 * const client = new x402Client().register("eip155:8453", new ExactEvmScheme(signer));
 */
export function guardPayments(wallet: Wallet, options: PaymentOptions): PaymentSigner {
  const { address } = signerOf(wallet);
  return Object.freeze({
    address,
    signTypedData: async (asked: Parameters<PaymentSigner["signTypedData"]>[0]) => {
      try {
        const { typedData } = readTypedData([address, asked], address);
        const payment = readPayment(typedData, address, options);
        const paying = inTime(payerOf(wallet, payment), payment);
        return await signTypedDataApproved(paying, typedData, await approvalOf(payment, options)).catch(
          explainExpiry(payment),
        );
      } catch (error) {
        const refusal = findNotApproved(error);
        if (refusal !== undefined) options.onRefusal?.(refusal);
        throw error;
      }
    },
  });
}

/** An account with its key is on no chain, so the payment's network is its. A wallet client must be on that network. */
function payerOf(wallet: Wallet, { network }: Payment): BareWallet {
  if ("request" in wallet) return bareWalletOf(wallet as AnyWallet);
  return {
    address: wallet.address,
    readChainId: async () => Number(network.slice("eip155:".length)),
    send: () => Promise.reject(new NotApprovedError("Not sent: this signer only signs payments")),
    signTypedData: (typedData) =>
      explainWallet("sign", () => wallet.signTypedData(typedDataDefinition(typedData))),
  };
}

/** An approval can come too late: a signature of an expired payment is of no use, and looks like a paid one. */
const inTime = (wallet: BareWallet, { validBefore }: Payment): BareWallet => ({
  ...wallet,
  signTypedData: async (typedData) => {
    if (validBefore.getTime() <= Date.now())
      throw new NotApprovedError("Not signed: the payment expired before it was approved. Try again");
    return wallet.signTypedData(typedData);
  },
});

/** The shop chose how long the owner had. A longer timeoutMs would not help. */
const explainExpiry =
  ({ validBefore }: Payment) =>
  (error: unknown): never => {
    if (!(error instanceof WaitTimeoutError) || validBefore.getTime() > Date.now()) throw error;
    throw new WaitTimeoutError(
      "Not signed: the payment expired before it was approved. For payments that no person has to approve, ask the owner for execution type 2 or a mandate",
      error.transaction,
    );
  };

/** No longer than the payment is valid: the owner has that long to decide. */
async function approvalOf(payment: Payment, options: PaymentOptions): Promise<GuardOptions> {
  const { words, timeoutMs = Number.POSITIVE_INFINITY } = options;
  const leftMs = payment.validBefore.getTime() - Date.now();
  return {
    ...options,
    words: typeof words === "string" ? words : await words(payment),
    timeoutMs: Math.max(1, Math.min(timeoutMs, leftMs)),
  };
}
