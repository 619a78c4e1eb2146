import { generateKey } from "openpgp";
import type { PrivateKeyAccount } from "viem/accounts";
import { aWallet, bearer, signIn, type SignedIn } from "./sign-in.ts";
import type { TestApi } from "./test-api.ts";

type KeyPair = { readonly publicKey: string; readonly privateKey: string };

export const aKeyPair = (
  options: { readonly date?: Date; readonly keyExpirationTime?: number } = {},
): Promise<KeyPair> =>
  generateKey({ userIDs: [{ email: "owner@example.org" }], format: "armored", ...options });

export const aPublicKey = async (): Promise<string> => (await aKeyPair()).publicKey;

export type KeyOwner = { readonly wallet: PrivateKeyAccount; readonly who: SignedIn };

export async function aKeyOwner(api: TestApi, wallet = aWallet()): Promise<KeyOwner> {
  return { wallet, who: await signIn(api, wallet) };
}

/** Registers like a valid client. A test changes only what it is about. */
export async function register(
  { http }: TestApi,
  { wallet, who }: KeyOwner,
  pgpPublicKey: string,
  changes: Readonly<Record<string, unknown>> = {},
) {
  const signature = await wallet.signMessage({ message: pgpPublicKey });
  const payload = { signature, pgpPublicKey, ...changes };
  return http.send({ method: "POST", url: "/user-api-keys/register", payload, headers: bearer(who) });
}
