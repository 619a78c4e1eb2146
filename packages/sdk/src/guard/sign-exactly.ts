// Signs exactly the approved digest, and lets the signature out only after the service has recorded its release.
import { recoverAddress } from "viem/utils";
import type { Countersign } from "../client.ts";
import { ApiError, CountersignError } from "../errors.ts";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";

/** Throws unless the signature is one of exactly this hash. */
export type Verify = (signingHash: Hex, signature: Hex) => Promise<void>;

type Exact = { readonly signingHash: Hex; readonly sign: () => Promise<Hex>; readonly verify: Verify };

/** Rejects if the wallet signed anything else, for example because it read the data differently. */
export async function signExactly({ signingHash, sign, verify }: Exact): Promise<Hex> {
  const signature = await sign();
  await verify(signingHash, signature);
  return signature;
}

/** Verifies the signature of a key. */
export const signedBy =
  (address: Hex): Verify =>
  async (hash, signature) => {
    const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
    if (signer?.toLowerCase() !== address.toLowerCase())
      throw new CountersignError("Approved, but the wallet did not sign the approved digest");
  };

type Releasing = { readonly requestHash: string; readonly signingHash: Hex };
type Releases = Pick<Countersign, "release">;

/** Returns the signature if this is its first release. */
export async function releaseOnce(
  countersign: Releases,
  { signature, ...releasing }: Releasing & { readonly signature: Hex },
): Promise<Hex> {
  await recordRelease(countersign, releasing, "Not signed");
  return signature;
}

/** Throws unless this is the first release. */
export async function recordRelease(
  countersign: Releases,
  { requestHash, signingHash }: Releasing,
  refusal: "Not sent" | "Not signed",
): Promise<void> {
  try {
    await countersign.release(requestHash, signingHash);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500)
      throw new NotApprovedError(`${refusal}: ${error.message}`);
    throw error;
  }
}
