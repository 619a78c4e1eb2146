// Verifies the signed verdict in this browser, recomputing everything from the receipt. The expected signer comes from the
// service; the SDK's fetchTrust reads it from the chain instead.
import type { Hex, Receipt, TransactionView, VerificationService } from "@countersign/sdk";
import type { SignedVerdict, Verification } from "@countersign/sdk/receipt";
import { keccak256 } from "viem/utils";
import { verifyInWorker } from "./verify-in-worker.ts";

export type Checked = Verification | { readonly isValid: undefined; readonly why: string };

export async function checkReceipt(
  receipt: Receipt,
  services: readonly VerificationService[],
): Promise<Checked> {
  const service = services.find(({ id }) => id === receipt.service?.id);
  if (receipt.attestation === null)
    return {
      isValid: undefined,
      why: "The verdict isn’t signed. You’d have to trust this service.",
    };
  if (service === undefined)
    return {
      isValid: undefined,
      why: "The signer isn’t one of the current verification services, so the signature can’t be checked.",
    };
  const { chainId, verifyingContract } = receipt.domain;
  const trust = { chainId, inbox: verifyingContract as Hex, signer: service.inbox as Hex };
  try {
    return await verifyInWorker({ receipt, trust });
  } catch {
    // Falls back to the main thread: slower, but equally strict.
    const { verifyReceipt } = await import("@countersign/sdk/receipt");
    return verifyReceipt(receipt, trust);
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

type Call = NonNullable<TransactionView["tx"]>;

const isCallOf = (verdict: SignedVerdict, { to, value, data }: Call): boolean =>
  "to" in verdict &&
  isSame(verdict.to, to) &&
  verdict.value.toString() === value &&
  isSame(verdict.dataHash, keccak256(data as Hex));

/** Returns why the transaction must not be sent, or undefined if it is the one that the verdict covers. */
export function whyNotToSend(transaction: TransactionView, checked: Checked | undefined): string | undefined {
  const { tx, chainId, escrowAddress, requestHash } = transaction;
  if (tx === null) return "It’s encrypted, so this page can’t send it.";
  if (checked === undefined) return "Checking the signed verdict.";
  if (checked.isValid === undefined) return checked.why;
  if (!checked.isValid) return `The signed verdict isn’t valid. ${checked.problems.join(" ")}`;
  const { verdict, decision } = checked;
  const isAbout =
    isSame(verdict.requestHash, requestHash) &&
    isCallOf(verdict, tx) &&
    verdict.chainId === chainId &&
    isSame(verdict.escrow, escrowAddress);
  if (!isAbout)
    return "The transaction isn’t the one that was checked. Don’t send it. Tell your administrator.";
  return decision === "REJECTED" ? "The signed verdict says Differs, so it can’t be sent." : undefined;
}
