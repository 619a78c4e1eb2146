import { createHash } from "node:crypto";
import { createWalletClient, custom, hashMessage, recoverMessageAddress } from "viem";
import { describe, expect, test } from "vitest";
import { createCountersign } from "../client.ts";
import { aServer, breaksOff, says, type Handler, type Server } from "../../test/server.ts";
import type { Hex } from "../types.ts";
import { decideBySignature, decisionMessage } from "./decide-by-signature.ts";
import { account, requestHash } from "../../test/viem/scripted.ts";

const audience = "https://api.example";
const record = { id: "a", decision: "REJECTED" };
const decision = { requestHash, decision: "REJECTED", audience } as const;

/** The text as the service writes it, out of nothing but what it was sent. */
function textOf({ received: [one] }: Server, target: string): string {
  const header = (name: string): string => String(one?.headers[name]);
  return [
    "Ethereum Signed HTTP Request v1",
    `audience: ${audience}`,
    `address: ${account.address}`,
    `chain-id: ${header("x-ethereum-chain-id")}`,
    `method: ${String(one?.method)}`,
    `target: ${target}`,
    `content-sha256: ${createHash("sha256")
      .update(one?.body ?? "")
      .digest("hex")}`,
    `timestamp: ${header("x-ethereum-timestamp")}`,
    `nonce: ${header("x-ethereum-nonce")}`,
  ].join("\n");
}

const signatureOf = ({ received: [one] }: Server): Hex => one?.headers["x-ethereum-signature"] as Hex;

/** Answers with a record, and keeps the request line as it came. */
function keepsTarget(): { readonly step: Handler; readonly target: () => string } {
  let target = "";
  return {
    step: (received, response) => {
      target = response.req.url ?? "";
      return says(201, record)(received, response);
    },
    target: () => target,
  };
}

describe("a decision by signature", () => {
  test("is signed over the very request that is sent, with the decision where a wallet shows it", async () => {
    const { step, target } = keepsTarget();
    await using server = await aServer(step);
    const client = createCountersign({ url: server.url });
    expect(await decideBySignature(client, { ...decision, wallet: account })).toEqual(record);
    expect(target()).toBe(`/transactions/${requestHash}/approvals?decision=REJECTED`);
    expect(server.received[0]).toMatchObject({ method: "POST", body: '{"decision":"REJECTED"}' });
    const signed = { message: textOf(server, target()), signature: signatureOf(server) };
    expect(await recoverMessageAddress(signed)).toBe(account.address);
    expect(server.received[0]?.headers["x-ethereum-address"]).toBe(account.address);
    expect(server.received[0]?.headers["idempotency-key"]).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test("is signed by a wallet that has the key, and says the chain it lives on", async () => {
    const { step, target } = keepsTarget();
    await using server = await aServer(step);
    const request = async ({ params }: { readonly params: readonly [Hex] }): Promise<Hex> =>
      account.signMessage({ message: { raw: params[0] } });
    const wallet = createWalletClient({ account: account.address, transport: custom({ request }) });
    await decideBySignature(createCountersign({ url: server.url }), { ...decision, wallet, chainId: 10 });
    expect(server.received[0]?.headers["x-ethereum-chain-id"]).toBe("10");
    const signed = { message: textOf(server, target()), signature: signatureOf(server) };
    expect(await recoverMessageAddress(signed)).toBe(account.address);
  });

  test("is over the text that was shown before, if that is said", async () => {
    await using server = await aServer(says(201, record));
    const shown = await decisionMessage({ ...decision, address: account.address });
    const { timestamp, nonce, text, hash } = shown;
    await decideBySignature(createCountersign({ url: server.url }), {
      ...{ ...decision, wallet: account, timestamp, nonce },
    });
    expect(await recoverMessageAddress({ message: text, signature: signatureOf(server) })).toBe(
      account.address,
    );
    expect(hash).toBe(hashMessage(text));
  });

  test("goes without the client's own credential: the service takes one proof, not two", async () => {
    await using server = await aServer(says(201, record));
    const session = { accessToken: "a", refreshToken: "b" };
    for (const credential of [{ apiKey: "key" }, { session }])
      await decideBySignature(createCountersign({ url: server.url, ...credential }), {
        ...{ ...decision, wallet: account },
      });
    for (const { headers } of server.received) {
      expect(headers["x-api-key"]).toBeUndefined();
      expect(headers.authorization).toBeUndefined();
    }
  });

  test.each([
    ["a lost answer", breaksOff],
    ["too many requests", says(429, { message: "Later" }, { "retry-after": "0" })],
    ["a fault of the service", says(503, { message: "Later" })],
    ["a refusal", says(401, { message: "No" })],
  ] as const)("is not sent again after %s: a signature is good once", async (_, step) => {
    await using server = await aServer(step, says(201, record));
    const client = createCountersign({ url: server.url, session: { accessToken: "a", refreshToken: "b" } });
    await expect(decideBySignature(client, { ...decision, wallet: account })).rejects.toThrow();
    expect(server.received).toHaveLength(1);
  });

  test("is not signed once it was given up", async () => {
    const client = createCountersign({ url: "http://127.0.0.1:9" });
    const wallet = { ...account, signMessage: () => expect.fail("it was asked to sign") };
    const signal = AbortSignal.abort(new Error("given up"));
    await expect(decideBySignature(client, { ...decision, wallet, signal })).rejects.toThrow("given up");
  });
});

describe("the text of a decision", () => {
  test("is this, byte for byte", async () => {
    const { text } = await decisionMessage({
      ...{ ...decision, audience: `${audience}/`, timestamp: 1_800_000_000, nonce: "0123456789abcdef" },
      address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    });
    expect(text).toBe(`Ethereum Signed HTTP Request v1
audience: https://api.example
address: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
chain-id: 11155111
method: POST
target: /transactions/${requestHash}/approvals?decision=REJECTED
content-sha256: ${createHash("sha256").update('{"decision":"REJECTED"}').digest("hex")}
timestamp: 1800000000
nonce: 0123456789abcdef`);
  });

  test.each([
    ["a hash that is none", { requestHash: "../users" }, /request hash/],
    ["an audience that is none", { audience: "api.example" }, /own address/],
    ["an audience with a line of its own", { audience: "https://a.example\nmethod: GET" }, /own address/],
    ["a nonce with a line of its own", { nonce: "0123456789abcdef\nx: y" }, /nonce/],
  ])("is not written for %s", async (_, change, message) => {
    const options = { ...decision, address: account.address, ...change };
    await expect(decisionMessage(options)).rejects.toThrow(message);
  });
});
