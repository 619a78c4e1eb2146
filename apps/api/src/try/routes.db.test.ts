import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { exceedLimit, aTestApi, type TestApi } from "../../test/test-api.ts";
import {
  aDescription,
  aReport,
  aValidator,
  says,
  type TestValidator,
} from "../../test/adapters/validator.ts";

let validator: TestValidator;
let api: TestApi;
const logged: string[] = [];
beforeAll(async () => {
  validator = await aValidator();
  const to = { write: (line: string) => void logged.push(line) };
  api = await aTestApi({ VALIDATOR_URL: `${validator.url}/` }, makeLog({ app: "api", level: "debug", to }));
});
beforeEach(() => {
  validator.answer(says(200, aReport()));
});
afterAll(async () => {
  await api.close();
  await validator.close();
});

const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const aTrial = (more: object = {}) => ({ intent: `Send 1 ETH to ${to}`, tx: { to }, ...more });
let asked = 0;
const ask = (payload: object, url = "/public/validate") =>
  api.http.send({
    method: "POST",
    url,
    payload,
    remoteAddress: `10.9.${++asked >> 8}.${asked & 255}`,
  });

describe("POST /public/validate", () => {
  test("200: the validator's whole answer, including unknown members, not cached", async () => {
    const more = { novelty: { a: [1] }, explanation: null };
    validator.answer(says(200, aReport(more)));
    const answer = await ask(aTrial());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(aReport(more));
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
  test("200: sends the validator the intent and the call, and nothing for members left out", async () => {
    await ask(aTrial());
    expect(validator.asked.at(-1)).toEqual({
      human_intent: `Send 1 ETH to ${to}`,
      proposed_tx: { to: to.toLowerCase(), value: "0", data: "0x" },
      metadata: {},
    });
    expect(validator.paths.at(-1)).toBe("/public/validate");
  });
  test("200: sends the chain and the signer if they are given", async () => {
    const tx = {
      to,
      value: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    };
    await ask(aTrial({ tx: { ...tx, data: "0xAB" }, chainId: 8453, from: to }));
    expect(validator.asked.at(-1)).toEqual({
      human_intent: `Send 1 ETH to ${to}`,
      proposed_tx: { ...tx, to: to.toLowerCase(), data: "0xab", chainId: 8453 },
      metadata: { from: to.toLowerCase(), chain_id: 8453 },
    });
  });
  test("200: accepts the longest input", async () => {
    const longest = { intent: "\u0001".repeat(20_000), tx: { to, data: `0x${"ab".repeat(64 * 1024)}` } };
    expect((await ask(longest)).statusCode).toBe(200);
  });
  test("200: logs neither intent nor calldata, whatever the outcome", async () => {
    const trial = { intent: "a-secret-wish", tx: { to, data: "0xfeedc0dedeadbeef" } };
    for (const how of [says(200, aReport()), says(500, trial), says(200, trial)]) {
      validator.answer(how);
      await ask(trial);
      await ask({ ...trial, from: "a-secret-wish" });
    }
    expect(logged.join("")).toContain("/public/validate");
    expect(logged.join("")).not.toMatch(/a-secret-wish|feedc0de/i);
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["no transaction", { intent: "Send 1 ETH" }],
    ["no words", aTrial({ intent: "" })],
    ["more than 20,000 characters of words", aTrial({ intent: "a".repeat(20_001) })],
    ["words that are no text", aTrial({ intent: 1 })],
    ["no recipient", aTrial({ tx: { value: "1" } })],
    ["an amount that is no whole number", aTrial({ tx: { to, value: "0.1" } })],
    ["an amount in JSON's own numbers", aTrial({ tx: { to, value: 1 } })],
    ["an amount beyond 256 bits", aTrial({ tx: { to, value: (2n ** 256n).toString() } })],
    ["half a byte", aTrial({ tx: { to, data: "0xabc" } })],
    ["more than 64 kB of data", aTrial({ tx: { to, data: `0x${"ab".repeat(64 * 1024 + 1)}` } })],
    ["a malformed chain", aTrial({ chainId: 0 })],
    ["a malformed signer", aTrial({ from: "me" })],
    ["a member it does not know", aTrial({ preferences: {} })],
    ["a member of the call it does not know", aTrial({ tx: { to, protocol: "aave" } })],
  ])("400: %s, without a request to the validator", async (_, trial) => {
    const before = validator.asked.length;
    expect((await ask(trial)).statusCode).toBe(400);
    expect(validator.asked.length).toBe(before);
  });

  test("429: blocks the 11th request of an address within a minute", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/public/validate" }, 10)).toBe(429);
  });
  test("429: applies the operator's limit", async () => {
    const generous = await aTestApi({ TRY_PER_MINUTE_PER_IP: "12" });
    expect(await exceedLimit(generous, { method: "POST", url: "/public/validate" }, 11)).toBe(400);
    expect(await exceedLimit(generous, { method: "POST", url: "/public/validate" }, 12)).toBe(429);
    await generous.close();
  });

  test.each([
    ["has an error", says(500, { detail: "no" })],
    ["does not understand us", says(422, { detail: "what?" })],
    ["answers what is not JSON", says(200, "<html>")],
    ["answers something else than a report", says(200, { decision: "PASS" })],
    ["answers an unknown decision", says(200, aReport({ decision: "MAYBE" }))],
  ])("503: while the validator %s", async (_, how) => {
    validator.answer(how);
    const answer = await ask(aTrial());
    expect(answer.json()).toEqual({
      statusCode: 503,
      message: "The validator did not answer. Try again.",
      error: "Service Unavailable",
    });
    expect(answer.headers["x-error-code"]).toBe("try.unavailable");
  });
  test("503: with Retry-After while the validator has no capacity", async () => {
    validator.answer(says(503, { detail: "busy" }));
    const answer = await ask(aTrial());
    expect(answer.json()).toEqual({
      statusCode: 503,
      message: "Too many requests are being checked. Try again in a second.",
      error: "Service Unavailable",
    });
    expect(answer.headers["x-error-code"]).toBe("try.busy");
    expect(answer.headers["retry-after"]).toBe("1");
  });
  test("503: while the validator is down", async () => {
    const lonely = await aTestApi();
    const answer = await lonely.http.send({ method: "POST", url: "/public/validate", payload: aTrial() });
    expect(answer.statusCode).toBe(503);
    await lonely.close();
  });
});

describe("POST /public/describe", () => {
  const describeTx = (payload: object) => ask(payload, "/public/describe");
  beforeEach(() => {
    validator.answer(says(200, aDescription()));
  });

  test("200: the validator's whole answer, including unknown members, not cached", async () => {
    validator.answer(says(200, aDescription({ novelty: 1 })));
    const answer = await describeTx({ tx: { to } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(aDescription({ novelty: 1 }));
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
  test("200: a transaction without a description", async () => {
    validator.answer(says(200, aDescription({ request: null, why: "It cannot be read." })));
    expect((await describeTx({ tx: { to } })).json()).toMatchObject({
      request: null,
      why: "It cannot be read.",
    });
  });
  test("200: sends the validator the transaction, and nothing for members left out", async () => {
    await describeTx({ tx: { to } });
    expect(validator.asked.at(-1)).toEqual({
      proposed_tx: { to: to.toLowerCase(), value: "0", data: "0x" },
      metadata: {},
    });
    expect(validator.paths.at(-1)).toBe("/public/describe");
  });
  test("200: sends the chain, the signer and the names if they are given", async () => {
    const knownAddresses = [{ address: to, label: "Alice" }];
    await describeTx({ tx: { to, value: "1", data: "0xAB" }, chainId: 8453, from: to, knownAddresses });
    expect(validator.asked.at(-1)).toEqual({
      proposed_tx: { to: to.toLowerCase(), value: "1", data: "0xab", chainId: 8453 },
      metadata: {
        from: to.toLowerCase(),
        chain_id: 8453,
        known_addresses: [{ address: to.toLowerCase(), label: "Alice" }],
      },
    });
  });
  test("200: accepts the longest input", async () => {
    const knownAddresses = Array.from({ length: 100 }, () => ({ address: to, label: "\u0001".repeat(100) }));
    const longest = { tx: { to, data: `0x${"ab".repeat(64 * 1024)}` }, knownAddresses };
    expect((await describeTx(longest)).statusCode).toBe(200);
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["no recipient", { tx: { value: "1" } }],
    ["a request in words", { tx: { to }, intent: "Send 1 ETH" }],
    ["more than 64 kB of data", { tx: { to, data: `0x${"ab".repeat(64 * 1024 + 1)}` } }],
    ["a malformed chain", { tx: { to }, chainId: 0 }],
    ["a malformed signer", { tx: { to }, from: "me" }],
    ["a name without an address", { tx: { to }, knownAddresses: [{ label: "Alice" }] }],
    ["an empty name", { tx: { to }, knownAddresses: [{ address: to, label: "" }] }],
    [
      "too many names",
      { tx: { to }, knownAddresses: Array.from({ length: 101 }, () => ({ address: to, label: "A" })) },
    ],
  ])("400: %s, without a request to the validator", async (_, payload) => {
    const before = validator.asked.length;
    expect((await describeTx(payload)).statusCode).toBe(400);
    expect(validator.asked.length).toBe(before);
  });

  test("429: blocks the 11th request of an address within a minute", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/public/describe" }, 10)).toBe(429);
  });

  test.each([
    ["has an error", says(500, { detail: "no" })],
    ["answers something else than a description", says(200, { request: 5 })],
  ])("503: while the validator %s", async (_, how) => {
    validator.answer(how);
    const answer = await describeTx({ tx: { to } });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["x-error-code"]).toBe("try.unavailable");
  });
  test("503: with Retry-After while the validator has no capacity", async () => {
    validator.answer(says(503, { detail: "busy" }));
    const answer = await describeTx({ tx: { to } });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers["x-error-code"]).toBe("try.busy");
    expect(answer.headers["retry-after"]).toBe("1");
  });
});
