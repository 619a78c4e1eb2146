// Turns a signature into the calls that it lets others make for the signer's account, so that it can be simulated before it is given.
import type { Hex } from "viem";
import { maximumCalls, type BatchCall } from "../calls.ts";
import { addressAt, Unreadable, type Fields } from "./fields.ts";
import { readAllowances, readPayment, readPermit, type Signed } from "./permits.ts";
import { readSafeTx } from "./safe-tx.ts";

type Data = { readonly domain: Fields; readonly primaryType: string; readonly message: Fields };

export type SignedCalls = {
  /** The account that makes the calls: the signer, or a Safe that the signer must be an owner of. */
  readonly account: Hex;
  readonly calls: readonly BatchCall[];
};

function read({ domain, primaryType, message }: Data, signer: Hex): Signed {
  const contract = addressAt(domain, "verifyingContract");
  switch (primaryType) {
    case "TransferWithAuthorization":
    case "ReceiveWithAuthorization":
      return bySigner(readPayment(contract, message), signer);
    case "Permit":
      return bySigner(readPermit(contract, message), signer);
    case "PermitSingle":
    case "PermitBatch":
      // Permit2 names no owner: it is the account that signs.
      return { account: signer, calls: readAllowances(contract, message) };
    case "SafeTx":
      return { account: contract, calls: readSafeTx(message) };
    default:
      throw new Unreadable("primaryType");
  }
}

function bySigner(signed: Signed, signer: Hex): Signed {
  if (signed.account !== signer) throw new Unreadable("owner");
  return signed;
}

/**
 * Returns the calls with the effect that others can give this signature at worst: the payment of an authorization, the allowance of a permit, the
 * calls of a Safe. Undefined for data of another form or signer, and for orders, whose result depends on who takes them.
 */
export function signedCalls(data: Data, signer: Hex): SignedCalls | undefined {
  try {
    const { account, calls } = read(data, signer.toLowerCase() as Hex);
    return calls.length === 0 || calls.length > maximumCalls ? undefined : { account, calls };
  } catch {
    // Also for numbers that the function cannot take.
    return undefined;
  }
}
