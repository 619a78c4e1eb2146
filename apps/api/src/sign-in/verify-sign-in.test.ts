import { describe, expect, test } from "vitest";
import { createSiweMessage } from "viem/siwe";
import type { AccountStore } from "../accounts/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { signInErrors } from "./errors.ts";
import { makeSignInPages } from "./sign-in-policy.ts";
import type { SignInStore } from "./store.ts";
import type { Tokens } from "./tokens.ts";
import { makeVerifySignIn } from "./verify-sign-in.ts";

const now = new Date("2026-01-01T12:00:00.000Z");
const address = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const account = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
const nonce = "0123456789abcdef";
const aMessage = (changes: object = {}): string =>
  createSiweMessage({
    ...{ domain: "api.example", uri: "https://api.example/sign-in", version: "1", chainId: 7, issuedAt: now },
    ...{ address, nonce },
    ...changes,
  });

type World = { readonly verdict?: "valid" | "invalid" | "unavailable"; readonly isNonceGood?: boolean };

/** A sign-in with in-memory parts. `did` lists what happened, in order. */
function aSignIn({ verdict = "valid", isNonceGood = true }: World = {}) {
  const did: unknown[][] = [];
  const verifySignIn = makeVerifySignIn({
    store: {
      consumeNonce: async (...given: unknown[]) => {
        did.push(["nonce", ...given]);
        return isNonceGood;
      },
      openSession: async (session: unknown) => void did.push(["session", session]),
    } as unknown as SignInStore,
    accounts: {
      ensure: async (of: string, id: string) => {
        did.push(["account", of, typeof id]);
        return { id: "user-1", account: of };
      },
    } as unknown as AccountStore,
    wallets: {
      verifyText: async (signed: unknown) => {
        did.push(["signature", signed]);
        return verdict;
      },
    } as unknown as LimitedWallets,
    tokens: {
      mintAccess: async (subject: object) => `access ${JSON.stringify(Object.keys(subject))}`,
      mintRefresh: async (claims: { tokenId: string }) => {
        did.push(["refresh", claims]);
        return { token: "refresh", expiresAt: now };
      },
    } as unknown as Tokens,
    pages: makeSignInPages({ baseUrl: "https://api.example", others: [] }),
    clock: { now: () => now },
    sessionSeconds: 60,
  });
  const run = (text = aMessage()) =>
    verifySignIn({ text, signature: "0x5167", ip: "10.0.0.1", userAgent: "agent" });
  return { did, run, names: () => did.map(([name]) => name) };
}

const refused = (reason: string) =>
  expect.objectContaining({
    code: signInErrors.refused.code,
    details: { address: account, reason },
  }) as Error;

test("opens a session for the wallet that signed the message", async () => {
  const { did, run } = aSignIn();
  const text = aMessage();
  expect(await run(text)).toEqual({
    accessToken: 'access ["userId","account","sessionId"]',
    refreshToken: "refresh",
    user: { id: "user-1", ethereumAddress: address },
  });
  const [, , , [, claims] = [], [, session] = []] = did as [string, Record<string, string>][];
  expect(did).toEqual([
    ["nonce", nonce, account],
    ["signature", { address: account, text, signature: "0x5167", chainId: 7, ip: "10.0.0.1" }],
    ["account", account, "string"],
    ["refresh", { userId: "user-1", account, sessionId: session?.["id"], tokenId: session?.["refreshId"] }],
    [
      "session",
      {
        ...{ id: claims?.["sessionId"], account, lifeSeconds: 60, refreshId: claims?.["tokenId"] },
        ...{ refreshExpiresAt: now, userAgent: "agent", address: "10.0.0.1" },
      },
    ],
  ]);
  expect(session?.["id"]).not.toBe(session?.["refreshId"]);
});

describe("refuses", () => {
  test("a text that is not a sign-in message, without consuming a nonce", async () => {
    const { did, run } = aSignIn();
    await expect(run(`${aMessage()}\n`)).rejects.toThrow(
      expect.objectContaining({ code: signInErrors.malformedMessage.code }) as Error,
    );
    expect(did).toEqual([]);
  });
  test("an invalid nonce, before the signature is checked", async () => {
    const { names, run } = aSignIn({ isNonceGood: false });
    await expect(run()).rejects.toThrow(refused("nonce"));
    expect(names()).toEqual(["nonce"]);
  });
  test("a message for another page, after its nonce is consumed", async () => {
    const { names, run } = aSignIn();
    await expect(run(aMessage({ domain: "apj.example" }))).rejects.toThrow(refused("domain"));
    expect(names()).toEqual(["nonce"]);
  });
  test("a signature that is not the wallet's", async () => {
    const { names, run } = aSignIn({ verdict: "invalid" });
    await expect(run()).rejects.toThrow(refused("signature"));
    expect(names()).toEqual(["nonce", "signature"]);
  });
  test("a signature that cannot be checked now", async () => {
    const { names, run } = aSignIn({ verdict: "unavailable" });
    await expect(run()).rejects.toThrow(
      expect.objectContaining({ code: signInErrors.walletUnavailable.code }) as Error,
    );
    expect(names()).toEqual(["nonce", "signature"]);
  });
});
