// Verifies the signed verdict in this browser, recomputing everything from the receipt. The expected signer comes from the
// service; the SDK's fetchTrust reads it from the chain instead.
import type { Hex, Receipt, VerificationService } from "@countersign/sdk";
import type { Verification } from "@countersign/sdk/receipt";
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
