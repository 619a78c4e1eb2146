// Signs exactly the approved digest, and lets the signature out only after the service has recorded its release.
import { typedDataDefinition, writeTypedData, type TypedData } from "@countersign/wire";
import { recoverAddress } from "viem/utils";
import type { Countersign } from "../client.ts";
import { ApiError, CountersignError } from "../errors.ts";
import type { Hex } from "../types.ts";
import { NotApprovedError } from "./not-approved.ts";
import type { AnyWallet } from "./send-exactly.ts";
import { accountOf } from "./signer.ts";

type Exact = { readonly typedData: TypedData; readonly signingHash: Hex };

/** Rejects if the wallet signed anything else, for example because it read the typed data differently. */
export async function signExactly(wallet: AnyWallet, { typedData, signingHash }: Exact): Promise<Hex> {
  const account = accountOf(wallet);
  const signature =
    account.type === "local"
      ? await account.signTypedData(typedDataDefinition(typedData))
      : await haveSigned(wallet, account.address, typedData);
  const signer = await recoverAddress({ hash: signingHash, signature }).catch(() => undefined);
  if (signer?.toLowerCase() !== account.address.toLowerCase())
    throw new CountersignError("Approved, but the wallet did not sign the approved digest");
  return signature;
}

/** The wallet holds the key. It gets the canonical form, and is asked once. */
async function haveSigned(wallet: AnyWallet, address: Hex, typedData: TypedData): Promise<Hex> {
  try {
    return await wallet.request(
      { method: "eth_signTypedData_v4", params: [address, writeTypedData(typedData)] } as never,
      { retryCount: 0 },
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CountersignError(`Approved, but the wallet did not sign it: ${why}`, { cause: error });
  }
}

type Releasing = { readonly requestHash: string; readonly signingHash: Hex; readonly signature: Hex };

/** Returns the signature if this is its first release. */
export async function releaseOnce(
  countersign: Pick<Countersign, "release">,
  { requestHash, signingHash, signature }: Releasing,
): Promise<Hex> {
  try {
    await countersign.release(requestHash, signingHash);
    return signature;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500)
      throw new NotApprovedError(`Not signed: ${error.message}`);
    throw error;
  }
}
