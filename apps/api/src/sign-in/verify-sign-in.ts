import type { z } from "zod";
import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import { identityOf, type AccountStore, type UserIdentity } from "../accounts/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { signInErrors } from "./errors.ts";
import { refuseMessage, type SignInPages } from "./sign-in-policy.ts";
import { readSiweMessage } from "./siwe-message.ts";
import type { SignInStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";

type Parts = {
  readonly store: SignInStore;
  readonly accounts: AccountStore;
  readonly wallets: LimitedWallets;
  readonly tokens: Tokens;
  readonly pages: SignInPages;
  readonly clock: Clock;
  /** A session ends after this, however often it is refreshed. */
  readonly sessionSeconds: number;
};

type SignedIn = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: z.infer<typeof UserIdentity>;
};

/**
 * Signs a wallet in. The nonce is consumed before the signature is checked, so that a failed attempt uses it
 * up and of concurrent requests only one continues. The signature is checked over exactly the received text.
 */
export const makeVerifySignIn = ({ store, accounts, wallets, tokens, pages, clock, sessionSeconds }: Parts) =>
  async function verifySignIn({
    text,
    signature,
    ip,
    userAgent,
  }: {
    readonly text: string;
    readonly signature: `0x${string}`;
    readonly ip: string;
    readonly userAgent: string | null;
  }): Promise<SignedIn> {
    const message = readSiweMessage(text);
    if (message === undefined) throw signInErrors.malformedMessage();
    const refuse = (reason: string) =>
      signInErrors.refused({ details: { address: message.address, reason } });

    if (!(await store.consumeNonce(message.nonce, message.address))) throw refuse("nonce");
    const reason = refuseMessage(message, pages, clock.now());
    if (reason !== undefined) throw refuse(reason);
    const { address, chainId } = message;
    const verdict = await wallets.verifyText({ address, text, signature, chainId, ip });
    if (verdict === "unavailable") throw signInErrors.walletUnavailable();
    if (verdict === "invalid") throw refuse("signature");

    const user = await accounts.ensure(address, newId());
    const subject = { userId: user.id, account: user.account, sessionId: newId() };
    const tokenId = newId();
    const refresh = await tokens.mintRefresh({ ...subject, tokenId });
    await store.openSession({
      id: subject.sessionId,
      account: user.account,
      lifeSeconds: sessionSeconds,
      refreshId: tokenId,
      refreshExpiresAt: refresh.expiresAt,
      userAgent,
      address: ip,
    });
    return {
      accessToken: await tokens.mintAccess(subject),
      refreshToken: refresh.token,
      user: identityOf(user),
    };
  };
