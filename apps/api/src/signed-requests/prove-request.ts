import type { Clock } from "@countersign/platform/clock";
import type { Account } from "../accounts/index.ts";
import { recoverSigner, type LimitedWallets } from "../adapters/wallets/index.ts";
import type { PresentedRequest } from "./read-request.ts";
import { signedText } from "./signed-text.ts";
import type { SignedRequestStore } from "./store.ts";

export type Parts = {
  readonly audience: string;
  readonly wallets: Pick<LimitedWallets, "verifyText">;
  readonly store: Pick<SignedRequestStore, "takeNonce">;
  /** Returns the newest unexpired sign-in nonces of this address, those requested from this network first. */
  readonly listIssuedNonces: (asking: {
    readonly account: Account;
    readonly ip: string;
    readonly atMost: number;
  }) => Promise<readonly string[]>;
  /** Uses up an issued sign-in nonce in one statement. Returns true for the one caller that got it. */
  readonly consumeIssuedNonce: (nonce: string, account: Account) => Promise<boolean>;
  readonly clock: Clock;
};

/** Maximum difference between the client's clock and ours, either way. */
const toleratedSeconds = 300;
/** Twice that: by the time a nonce is deleted, its timestamp is too old on any clock. */
const rememberedSeconds = 600;
/** Each costs a signature check and, for a contract wallet, a query to a chain. */
const issuedNoncesTried = 5;

type ChosenRequest = PresentedRequest & { readonly chosen: NonNullable<PresentedRequest["chosen"]> };

/**
 * For a time and nonce that the client chose. The signature is checked before the nonce: otherwise anyone
 * could use up an owner's nonces with invalid signatures. Of concurrent replays all may reach the nonce;
 * taking it is one statement with one winner, and only the winner is accepted.
 */
async function proveChosen(
  { audience, wallets, store, clock }: Parts,
  request: ChosenRequest,
): Promise<boolean> {
  const { account, signature, chainId, chosen, ip } = request;
  if (Math.abs(clock.now().getTime() / 1000 - chosen.timestamp) > toleratedSeconds) return false;
  const text = signedText({ ...request, ...chosen, audience });
  // "unavailable" counts as a failure.
  if ((await wallets.verifyText({ address: account, text, signature, chainId, ip })) !== "valid")
    return false;
  const expiresAt = new Date((chosen.timestamp + rememberedSeconds) * 1000);
  return store.takeNonce({ account, nonce: chosen.nonce, expiresAt });
}

/**
 * For a nonce that we issued. Either the client names it, or it follows from the signature: then several are
 * tried, those of the request's own network before those that others requested. Here too the signature is
 * checked first: only its owner can use up a nonce, and only the request that used it up is accepted.
 */
async function proveIssued(parts: Parts, request: PresentedRequest): Promise<boolean> {
  const { audience, wallets } = parts;
  const { account, signature, chainId, ip } = request;
  const nonces =
    request.issued === undefined
      ? await parts.listIssuedNonces({ account, ip, atMost: issuedNoncesTried })
      : [request.issued];
  const texts = nonces.map((nonce) => ({
    nonce,
    text: signedText({ ...request, audience, timestamp: 0, nonce }),
  }));
  // Plain wallets are checked first, separately: an unavailable chain must not block them at a nonce that does not
  // match.
  const plain = texts.find(({ text }) => recoverSigner(text, signature) === account);
  if (plain !== undefined) return parts.consumeIssuedNonce(plain.nonce, account);
  // Concurrently, so that a slow chain is waited for once.
  const verdicts = await Promise.all(
    texts.map(({ text }) => wallets.verifyText({ address: account, text, signature, chainId, ip })),
  );
  const match = texts[verdicts.indexOf("valid")];
  return match !== undefined && (await parts.consumeIssuedNonce(match.nonce, account));
}

/**
 * Checks that the owner of the address signed exactly this request, for us, just now, and that it was not
 * used before.
 */
export const makeProveRequest =
  (parts: Parts) =>
  async (request: PresentedRequest): Promise<boolean> => {
    const { chosen } = request;
    return chosen === undefined ? proveIssued(parts, request) : proveChosen(parts, { ...request, chosen });
  };
