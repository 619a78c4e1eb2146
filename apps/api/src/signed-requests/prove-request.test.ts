import { expect, test } from "vitest";
import { makeProveRequest, type Parts } from "./prove-request.ts";
import { readRequest, type PresentedRequest } from "./read-request.ts";
import { signedText } from "./signed-text.ts";

const account = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const at = 1_800_000_000;

const presented = (chosen: PresentedRequest["chosen"]): PresentedRequest => ({
  account,
  signature: "0x00",
  chainId: 1,
  method: "GET",
  target: "/",
  body: "",
  ip: "10.0.0.1",
  chosen,
  issued: undefined,
});

/** Proves with a wallet that always gives the same result, and records which nonces were taken or consumed. */
function aProof(verdict: "valid" | "invalid" | "unavailable", issued: readonly string[] = []) {
  const asked: string[] = [];
  const used: unknown[] = [];
  const use = async (...what: unknown[]) => {
    used.push(...what);
    return true;
  };
  const parts: Parts = {
    audience: "https://api.example",
    wallets: {
      verifyText: async ({ text }) => {
        asked.push(text);
        return verdict;
      },
    },
    store: { takeNonce: use },
    listIssuedNonces: async () => issued,
    consumeIssuedNonce: use,
    clock: { now: () => new Date(at * 1000) },
  };
  return { prove: makeProveRequest(parts), asked, used };
}

test("writes the text that clients sign, byte for byte", () => {
  const text = signedText({
    audience: "https://api.example",
    account,
    chainId: 11_155_111,
    method: "POST",
    target: "/users?x=%20",
    body: '{"a":"ä"}',
    timestamp: at,
    nonce: "0123456789abcdef",
  });
  expect(text).toBe(`Ethereum Signed HTTP Request v1
audience: https://api.example
address: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
chain-id: 11155111
method: POST
target: /users?x=%20
content-sha256: 46e7684c4b1944115e7f227c9f2d1275a3edf7806a40d523d1c77e0df97b3432
timestamp: 1800000000
nonce: 0123456789abcdef`);
});

test.each([
  [-300, true],
  [-301, false],
  [300, true],
  [301, false],
])("a timestamp %i seconds from now: %s", async (offset, holds) => {
  const { prove, asked } = aProof("valid");
  expect(await prove(presented({ timestamp: at + offset, nonce: "0123456789abcdef" }))).toBe(holds);
  // An expired timestamp costs no signature check.
  expect(asked).toHaveLength(holds ? 1 : 0);
});

test("a chosen nonce is stored until ten minutes after its timestamp", async () => {
  const { prove, used } = aProof("valid");
  await prove(presented({ timestamp: at + 200, nonce: "0123456789abcdef" }));
  expect(used).toEqual([{ account, nonce: "0123456789abcdef", expiresAt: new Date((at + 800) * 1000) }]);
});

test.each(["invalid", "unavailable"] as const)(
  "a signature that is %s is rejected and uses up no nonce",
  async (verdict) => {
    const { prove, used } = aProof(verdict, ["0123456789abcdef"]);
    expect(await prove(presented({ timestamp: at, nonce: "0123456789abcdef" }))).toBe(false);
    expect(await prove(presented(undefined))).toBe(false);
    expect(used).toEqual([]);
  },
);

test("a contract wallet is asked about every issued nonce it may use, and the confirmed one is used up", async () => {
  const { prove, asked, used } = aProof("valid", ["nonce-number-one", "nonce-number-two"]);
  expect(await prove(presented(undefined))).toBe(true);
  expect(asked).toHaveLength(2);
  expect(used).toEqual(["nonce-number-one", account]);
});

test("without an issued nonce no wallet is asked", async () => {
  const { prove, asked } = aProof("valid");
  expect(await prove(presented(undefined))).toBe(false);
  expect(asked).toEqual([]);
});

const good = {
  "x-ethereum-address": account,
  "x-ethereum-signature": "0x00",
  "x-ethereum-timestamp": "1800000000",
  "x-ethereum-nonce": "0123456789abcdef",
};
const read = (headers: Record<string, string | string[]>, target = "/", rawBody = "") =>
  readRequest({ method: "POST", target, headers: { ...good, ...headers }, rawBody, ip: "10.0.0.1" });

test("parses a complete request", () => {
  expect(read({ "content-length": "2" }, "/a?b", "{}")).toMatchObject({ target: "/a?b", body: "{}" });
  expect(read({ "content-length": "0" })).toBeDefined();
});
test.each([
  ["a number with a sign", { "x-ethereum-timestamp": "+1800000000" }],
  ["a number that begins with zero", { "x-ethereum-timestamp": "01800000000" }],
  ["a fraction of a second", { "x-ethereum-timestamp": "1800000000.5" }],
  ["a short nonce", { "x-ethereum-nonce": "0123456789abcde" }],
  ["a long nonce", { "x-ethereum-nonce": "a".repeat(65) }],
  ["a nonce with a line break", { "x-ethereum-nonce": "0123456789abcdef\n" }],
  ["a header that came twice", { "x-ethereum-nonce": ["0123456789abcdef", "0123456789abcdef"] }],
  ["a signature of 2049 bytes", { "x-ethereum-signature": `0x${"00".repeat(2049)}` }],
  ["half a byte", { "x-ethereum-signature": "0x000" }],
  ["a body of a length that was not kept", { "content-length": "2" }],
  ["a body in chunks that was not kept", { "transfer-encoding": "chunked" }],
])("rejects a request with %s", (_, headers) => {
  expect(read(headers)).toBeUndefined();
});
test.each(["/a b", "/a\nnonce: 1", "http://other.example/", "/ä"])("rejects the target %j", (target) => {
  expect(read({}, target)).toBeUndefined();
});
