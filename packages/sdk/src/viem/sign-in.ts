// Sign-in with Ethereum (ERC-4361).
import { createSiweMessage } from "viem/siwe";
import type { Session } from "../credential.ts";
import { makeHttp, type ConnectionOptions } from "../http.ts";
import { signerOf, type Wallet } from "./signer.ts";

/** Options of `signIn`. */
export type SignInOptions = ConnectionOptions & {
  readonly wallet: Wallet;
  /** The page that signs in. It must belong to the service. Default: the service. */
  readonly page?: string;
  /** The chain of a contract wallet. */
  readonly chainId?: number;
};

/**
 * Signs in with a wallet and returns a session for `createCountersign`. The wallet signs one message.
 *
 * @throws AuthenticationError if the signature is invalid.
 */
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
