import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { makeSigningKey, secretTextOf, signatureHeaders } from "./signing.ts";

const id = "msg_1";
const body = JSON.stringify({ type: "transaction.updated", data: { reason: "ünïcode 💸" } });
const [key, previous, other] = [makeSigningKey(), makeSigningKey(), makeSigningKey()];
const signed = (keys: readonly Buffer[], timestamp = new Date()) =>
  signatureHeaders({ id, timestamp, body, keys });
const verify = (by: Buffer, headers: Record<string, string>, text = body) =>
  new Webhook(secretTextOf(by)).verify(text, headers);

describe("the official library", () => {
  test("accepts a signature", () => {
    expect(verify(key, signed([key]))).toEqual(JSON.parse(body));
  });
  test("accepts either key during a rotation, and no other", () => {
    const headers = signed([key, previous]);
    expect(verify(key, headers)).toEqual(JSON.parse(body));
    expect(verify(previous, headers)).toEqual(JSON.parse(body));
    expect(() => verify(other, headers)).toThrow("No matching signature");
  });
  test("rejects another body, id or timestamp", () => {
    const headers = signed([key]);
    expect(() => verify(key, headers, body.replace("updated", "executed"))).toThrow();
    expect(() => verify(key, { ...headers, "webhook-id": "msg_2" })).toThrow();
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    expect(() => verify(key, { ...headers, "webhook-timestamp": later })).toThrow();
  });
  test("rejects a replay of an old message", () => {
    expect(() => verify(key, signed([key], new Date(Date.now() - 6 * 60_000)))).toThrow("too old");
  });
  test("accepts any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const whole = JSON.stringify({ text });
        const headers = signatureHeaders({ id, timestamp: new Date(), body: whole, keys: [key] });
        expect(verify(key, headers, whole)).toEqual({ text });
      }),
    );
  });
});

test("a secret is whsec_ and 32 bytes in base64", () => {
  expect(secretTextOf(key)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
