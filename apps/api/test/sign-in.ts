import { randomBytes } from "node:crypto";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import type { TestApi } from "./test-api.ts";
import { readTokenKeys, tokenKeyPurpose, type KeyKeeper, type TokenKeys } from "../src/sign-in/token-keys.ts";

export type SignedIn = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly ethereumAddress: string };
};

/** The keys that sign the service's tokens. */
export const tokenKeysIn = async ({ listCurrent }: Pick<KeyKeeper, "listCurrent">): Promise<TokenKeys> =>
  readTokenKeys(await listCurrent(tokenKeyPurpose), new Date());

/** A new wallet. */
export const aWallet = (): PrivateKeyAccount => privateKeyToAccount(`0x${randomBytes(32).toString("hex")}`);

/** A valid message. A test changes only what it is about. */
export function aMessage(
  address: `0x${string}`,
  nonce: string,
  more: Partial<Parameters<typeof createSiweMessage>[0]> = {},
): string {
  return createSiweMessage({
    domain: "api.example",
    uri: "https://api.example/sign-in",
    statement: "Sign in to Countersign.",
    version: "1",
    chainId: 11_155_111,
    issuedAt: new Date(),
    address,
    nonce,
    ...more,
  });
}

export async function askNonce(
  { http }: TestApi,
  walletAddress: string,
  remoteAddress = "127.0.0.1",
): Promise<string> {
  const request = { method: "POST", url: "/auth/siwe/nonce", payload: { walletAddress } };
  const answer = await http.send({ ...request, remoteAddress });
  return answer.json<{ nonce: string }>().nonce;
}

export const verify = ({ http }: TestApi, message: string, signature: string) =>
  http.send({ method: "POST", url: "/auth/siwe/verify", payload: { message, signature } });

export const bearer = ({ accessToken }: Pick<SignedIn, "accessToken">): { authorization: string } => ({
  authorization: `Bearer ${accessToken}`,
});

export async function signIn(api: TestApi, wallet = aWallet()): Promise<SignedIn> {
  const message = aMessage(wallet.address, await askNonce(api, wallet.address));
  return (await verify(api, message, await wallet.signMessage({ message }))).json<SignedIn>();
}

/** The other, equivalent signature: s becomes n − s, and v the other one. */
export function highTwin(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = order - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith("1b") ? "1c" : "1b";
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${v}`;
}
