import { randomBytes } from "node:crypto";
import type { PrivateKeyAccount } from "viem/accounts";
import { signedText, type SignedRequest } from "../src/signed-requests/index.ts";

type Changes = Partial<SignedRequest>;

/** A valid GET. Each test changes only the fields it is about. */
const aSignedRequest = (wallet: PrivateKeyAccount, changes: Changes = {}): SignedRequest => ({
  audience: "https://api.example",
  account: wallet.address,
  chainId: 11_155_111,
  method: "GET",
  target: `/users/${wallet.address}`,
  body: "",
  timestamp: Math.floor(Date.now() / 1000),
  nonce: randomBytes(16).toString("hex"),
  ...changes,
});

/** Returns the headers of a signed request. A timestamp of 0 means that the service issued the nonce, which is then left out. */
export async function signatureHeaders(
  wallet: PrivateKeyAccount,
  changes: Changes = {},
): Promise<Record<string, string>> {
  const request = aSignedRequest(wallet, changes);
  return {
    "x-ethereum-address": wallet.address,
    "x-ethereum-signature": await wallet.signMessage({ message: signedText(request) }),
    ...(request.timestamp === 0
      ? {}
      : { "x-ethereum-timestamp": String(request.timestamp), "x-ethereum-nonce": request.nonce }),
  };
}
