// An Ethereum account whose key is in a key service.
import { randomBytes, type KeyObject } from "node:crypto";
import {
  hashTypedData,
  keccak256,
  numberToHex,
  recoverAddress,
  serializeSignature,
  serializeTransaction,
  toHex,
  type Hex,
  type LocalAccount,
  type Signature,
} from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { readDerSignature } from "./der-signature.ts";
import { KeyServiceError } from "./errors.ts";
import type { KmsKey } from "./kms-key.ts";

/** The part of an account that our services use. An account with a key in memory has it too. */
export type SigningAccount = Pick<LocalAccount, "address" | "signTypedData" | "signTransaction">;

function addressOf(name: string, key: KeyObject): Hex {
  if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "secp256k1")
    throw new KeyServiceError("wrong-key", `${name} is not a key pair on the curve secp256k1`);
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return publicKeyToAddress(`0x04${point.toString("hex")}`);
}

/** Returns the address of a key pair. Throws a `KeyServiceError` if it is on another curve. */
export const readKmsAddress = async (key: KmsKey): Promise<Hex> =>
  addressOf(key.name, await key.readPublicKey());

/** The service does not say which of the two points it used, so the one that gives the address is searched. */
async function sign(key: KmsKey, address: Hex, hash: Hex): Promise<Signature> {
  const parsed = readDerSignature(await key.signDigest(Buffer.from(hash.slice(2), "hex")));
  for (const yParity of parsed === undefined ? [] : [0, 1]) {
    const signature = {
      r: numberToHex(parsed?.r ?? 0n, { size: 32 }),
      s: numberToHex(parsed?.s ?? 0n, { size: 32 }),
      yParity,
    };
    // A point that does not exist for this r.
    const signer = await recoverAddress({ hash, signature }).catch(() => undefined);
    if (signer === address) return signature;
  }
  throw new KeyServiceError("wrong-key", `${key.name} returned a signature that is not of ${address}`);
}

/**
 * Returns an account that signs with a key in a key service. `expected` is the address that the operator knows. Throws a
 * `KeyServiceError` if the key has another one, or cannot sign; each signature is verified before it is returned.
 */
export async function openKmsAccount(key: KmsKey, expected: string): Promise<SigningAccount> {
  const address = await readKmsAddress(key);
  if (address.toLowerCase() !== expected.toLowerCase())
    throw new KeyServiceError("wrong-key", `${key.name} has the address ${address}, not ${expected}`);
  // A random digest is neither a transaction nor a message, and shows at the start whether signing is permitted.
  await sign(key, address, keccak256(toHex(randomBytes(32))));
  return {
    address,
    signTypedData: async (typedData) =>
      serializeSignature(
        await sign(key, address, hashTypedData(typedData as Parameters<typeof hashTypedData>[0])),
      ),
    signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
      const unsigned = await serializer(transaction);
      return serializer(transaction, await sign(key, address, keccak256(unsigned)));
    },
  };
}
