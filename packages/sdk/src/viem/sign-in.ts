// Sign-in with Ethereum: the wallet signs that this is its owner, who wants to be known to this service.
import { createSiweMessage } from "viem/siwe";
import type { Session } from "../credential.ts";
import { makeHttp, type HttpOptions } from "../http.ts";
import { signerOf, type Wallet } from "./signer.ts";

export type SignInOptions = Omit<HttpOptions, "credential"> & {
  readonly wallet: Wallet;
  /** The page that asks, if there is one; the service itself otherwise. It must be one of the service's own. */
  readonly page?: string;
  /** Where a contract wallet lives. */
  readonly chainId?: number;
};

export async function signIn(options: SignInOptions): Promise<Session> {
  const { wallet, url, page = url, chainId = 11_155_111 } = options;
  const http = makeHttp(options);
  const { address, signMessage } = signerOf(wallet);
  const { body } = await http<{ nonce: string }>("/auth/siwe/nonce", {
    method: "POST",
    body: { walletAddress: address },
  });
  const message = createSiweMessage({
    ...{ address, chainId, nonce: body.nonce, version: "1", issuedAt: new Date() },
    ...{ domain: new URL(page).host, uri: page },
  });
  const signature = await signMessage(message);
  const path = "/auth/siwe/verify";
  const { accessToken, refreshToken } = (
    await http<Session>(path, { method: "POST", body: { message, signature } })
  ).body;
  return { accessToken, refreshToken };
}
