import { credential, type Authenticator, type Caller } from "@countersign/platform/http";
import type { Account, AccountStore } from "../accounts/index.ts";
import { makeProveRequest, type Parts as ProofParts } from "./prove-request.ts";
import { isSigned, readRequest } from "./read-request.ts";

/** The owner of an address, who signed this exact request. */
export type SignatureCaller = Caller & {
  readonly scheme: "signature";
  readonly account: Account;
  /** Null if the address has no user yet. */
  readonly userId: string | null;
};

/** For endpoints that the owner of an address may call with a signature over the request. */
export const signature = credential<SignatureCaller>("signature");

type Parts = ProofParts & { readonly accounts: Pick<AccountStore, "find"> };

/** Authenticates `x-ethereum-address` and `x-ethereum-signature`. Every failure gets the same error. */
export function makeSignatureAuthenticator(parts: Parts): Authenticator<SignatureCaller> {
  const proveRequest = makeProveRequest(parts);
  return {
    scheme: "signature",
    security: {
      type: "apiKey",
      in: "header",
      name: "x-ethereum-signature",
      description:
        "An EIP-191 signature over this request by x-ethereum-address, with x-ethereum-timestamp and x-ethereum-nonce; or over a nonce from POST /auth/siwe/nonce without the timestamp, and with or without that nonce.",
    },
    challenge: 'EthereumSignature header="x-ethereum-signature"',
    isPresented: isSigned,
    authenticate: async (credentials) => {
      const request = readRequest(credentials);
      if (request === undefined || !(await proveRequest(request))) return undefined;
      const { account } = request;
      const user = await parts.accounts.find(account);
      return { scheme: "signature", subject: account, scopes: [], account, userId: user?.id ?? null };
    },
  };
}
