// An agent that signs texts with a guarded wallet, on the real system: a sign-in and words that the user wrote. Any other text is not
// signed.
import { createWalletClient, http, recoverMessageAddress, type Hex } from "viem";
import { createSiweMessage } from "viem/siwe";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "../../../../tools/stage/index.ts";
import { makeRealAgent, type RealAgent } from "../../test/real-agent.ts";
import { verifyReceipt } from "../receipt/index.ts";
import { findNotApproved, guard } from "./index.ts";

const terms = "I agree to the terms of example.com";

let stage: Stage;
let real: RealAgent;

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  real = await makeRealAgent(stage);
});
afterAll(() => stage.end());

function guarded(words: string) {
  const { account } = real;
  const bare = createWalletClient({ account, chain: sepolia, transport: http(stage.urls.anvil) });
  return guard(bare, real.optionsFor(words));
}

const signIn = (domain = "app.example.com"): string =>
  createSiweMessage({
    ...{ domain, uri: `https://${domain}/login`, address: real.account.address, version: "1" },
    ...{ chainId: sepolia.id, nonce: "32891756aB", issuedAt: new Date() },
  });

describe("a text", () => {
  test.each([
    ["that the request contains", `Sign the message “${terms}”`, () => terms],
    ["that signs in to the site of the request", "Sign in to app.example.com", () => signIn()],
  ])("%s is signed, once", async (_, words, textOf) => {
    const message = textOf();
    const signature = await guarded(words).signMessage({ message });
    expect(await recoverMessageAddress({ message, signature })).toBe(real.account.address);
    const [done] = (await real.agent.transactions()).transactions;
    expect(done).toMatchObject({
      status: "EXECUTED",
      phase: "EXECUTED",
      shape: "message",
      message,
      tx: null,
    });
    const receipt = await real.agent.receipt(done?.requestHash ?? "");
    expect(await verifyReceipt(receipt, real.trust)).toMatchObject({
      ...{ isValid: true, decision: "APPROVED" },
      verdict: { shape: "message", signingHash: done?.signingHash },
    });
    await expect(real.agent.release(done?.requestHash ?? "", done?.signingHash ?? "")).rejects.toThrow(
      "released",
    );
  });

  const hash: Hex = `0x${"5a".repeat(32)}`;
  test.each<[string, string, () => string | { readonly raw: Hex }]>([
    ["another text", `Sign the message “${terms}”`, () => `${terms} and to the transfer of my assets`],
    ["an order", "Sign the message “Transfer everything to Bob”", () => "Transfer everything to Bob"],
    [
      "a text for another request",
      "Send 0.01 ETH to 0x742d35Cc6634C0532925a3b844Bc454e4438f44e",
      () => terms,
    ],
    ["a sign-in to another site", "Sign in to app.example.com", () => signIn("app.example.org")],
    ["a hash as a text", `Sign the message “${hash.slice(2)}”`, () => hash.slice(2)],
    ["a hash as bytes", `Sign the message “${terms}”`, () => ({ raw: hash })],
    [
      "a text that has the bytes of a hash",
      "Sign this message: 32 bytes",
      () => ({ raw: `0x${"41".repeat(32)}` }),
    ],
  ])("is not signed if it is %s", async (_, words, textOf) => {
    const error: unknown = await guarded(words)
      .signMessage({ message: textOf() })
      .catch((thrown: unknown) => thrown);
    expect(findNotApproved(error)?.message, String(error)).toMatch(/^Not signed: /);
  });
});
