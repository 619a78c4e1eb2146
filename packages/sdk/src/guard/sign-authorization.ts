// Signs an EIP-7702 authorization with any wallet: only an approved one, with a nonce that the account can use next.
import { parseAuthorizationList, TypedDataProblem, type AuthorizationList } from "@countersign/wire";
import type { Hex } from "../types.ts";
import type { AuthorizationSigner, BareWallet } from "./bare-wallet.ts";
import type { GuardOptions } from "./guard-options.ts";
import { NotApprovedError } from "./not-approved.ts";
import { signApproved } from "./sign-approved.ts";

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not signed: ${why}`);
};

/** Returns the authorization that will be proposed. Throws a NotApprovedError for one that is valid on every chain, or malformed. */
export function readAuthorization(tuple: object): AuthorizationList {
  try {
    return parseAuthorizationList([tuple]);
  } catch (error) {
    if (error instanceof TypedDataProblem)
      return refuse(`the authorization's ${error.at.replace(/^0\./, "")} ${error.message}`);
    throw error;
  }
}

/** Returns the signature of 65 bytes. Throws a NotApprovedError if it was not approved; then nothing was signed. */
export async function signAuthorizationApproved(
  wallet: BareWallet,
  authorizationList: AuthorizationList,
  options: GuardOptions,
): Promise<Hex> {
  const { authorizations } = wallet;
  if (authorizations === undefined) return refuse("this wallet signs no authorizations");
  const [authorization] = authorizationList;
  await checkNonce(authorizations, BigInt(authorization.nonce));
  return signApproved(
    wallet,
    {
      payload: { shape: "authorizationList", authorizationList },
      words: await readWords(authorizationList, options),
      sign: () => authorizations.sign(authorization),
    },
    options,
  );
}

/**
 * A request does not name the nonce, so it is compared with the chain. An account that sends the authorization in a transaction of
 * its own uses up one nonce first. One that is further ahead could be used at a time that the owner does not expect.
 */
async function checkNonce({ readNonce }: AuthorizationSigner, nonce: bigint): Promise<void> {
  const next = BigInt(await readNonce());
  if (nonce !== next && nonce !== next + 1n)
    refuse(`nonce ${nonce} is not the account's next one, ${next}, or the one after it`);
}

async function readWords(
  [authorization]: AuthorizationList,
  { words, wordsForAuthorization }: GuardOptions,
): Promise<string> {
  if (wordsForAuthorization !== undefined) return wordsForAuthorization(authorization);
  if (typeof words === "string") return words;
  return refuse("the guard needs wordsForAuthorization, the user's request for an authorization");
}
