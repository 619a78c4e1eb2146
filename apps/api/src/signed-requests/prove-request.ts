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
  /** The newest unexpired nonces of this address for signing in, those first that were asked for from this network. */
  readonly listIssuedNonces: (asking: {
    readonly account: Account;
    readonly ip: string;
    readonly atMost: number;
  }) => Promise<readonly string[]>;
  /** Uses up a nonce that was issued for signing in, in one statement; true for the one who got it. */
  readonly consumeIssuedNonce: (nonce: string, account: Account) => Promise<boolean>;
  readonly clock: Clock;
};

/** How far the client's clock may be from ours, either way. */
const toleratedSeconds = 300;
/** Twice that: when a nonce is forgotten, its timestamp has been too old for a while, on any clock. */
const rememberedSeconds = 600;
/** Each is a signature to check, and for a contract wallet a question to a chain. */
const issuedNoncesTried = 5;

type ChosenRequest = PresentedRequest & { readonly chosen: NonNullable<PresentedRequest["chosen"]> };

/**
 * The client chose time and nonce. The signature first, then the nonce: in the other order anybody could use up nonces in
 * the owner's name with rubbish for a signature. Of many that replay one request at once all may get as far as the nonce;
 * taking it is one statement with one winner, and only the winner is believed.
 */
async function proveChosen(
  { audience, wallets, store, clock }: Parts,
  request: ChosenRequest,
): Promise<boolean> {
  const { account, signature, chainId, chosen, ip } = request;
  if (Math.abs(clock.now().getTime() / 1000 - chosen.timestamp) > toleratedSeconds) return false;
  const text = signedText({ ...request, ...chosen, audience });
  // "unavailable" is no: what could not be checked was not signed.
  if ((await wallets.verifyText({ address: account, text, signature, chainId, ip })) !== "valid")
    return false;
  const expiresAt = new Date((chosen.timestamp + rememberedSeconds) * 1000);
  return store.takeNonce({ account, nonce: chosen.nonce, expiresAt });
}

/**
 * The nonce is one that we issued. The client names it, or only the signature tells which one it is: then several are tried, and
 * those that somebody else asked for come after those of the request's own network. Again the signature first: a nonce is used up
 * by its owner alone, and the one who used it up is the one who is believed.
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
  // Plain wallets first, by themselves: a chain that is away must not stop them at a nonce that was not theirs to match.
  const plain = texts.find(({ text }) => recoverSigner(text, signature) === account);
  if (plain !== undefined) return parts.consumeIssuedNonce(plain.nonce, account);
  // All at once, so that a slow chain is waited for once.
  const verdicts = await Promise.all(
    texts.map(({ text }) => wallets.verifyText({ address: account, text, signature, chainId, ip })),
  );
  const match = texts[verdicts.indexOf("valid")];
  return match !== undefined && (await parts.consumeIssuedNonce(match.nonce, account));
}

/** Did the owner of the address sign exactly this request, for us, just now, and is this the first time we see it? */
export const makeProveRequest =
  (parts: Parts) =>
  async (request: PresentedRequest): Promise<boolean> => {
    const { chosen } = request;
    return chosen === undefined ? proveIssued(parts, request) : proveChosen(parts, { ...request, chosen });
  };
