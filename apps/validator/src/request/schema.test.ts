import { describe, expect, test } from "vitest";
import { parseLossless } from "./lossless-json.ts";
import { ValidateRequest } from "./schema.ts";

const accepts = (body: string): boolean => {
  const parsed = parseLossless(body);
  return "value" in parsed && ValidateRequest.safeParse(parsed.value).success;
};

describe("ValidateRequest", () => {
  test.each([
    '{"human_intent":""}',
    '{"human_intent":"x","proposed_tx":{}}',
    '{"human_intent":"x","proposed_tx":null,"metadata":null}',
    '{"human_intent":"x","proposed_tx":{"value":1e18,"gas":"0x5208","to":null,"unknown":[1]}}',
    '{"human_intent":"x","proposed_tx":{"value":100000000000000000000000}}',
    '{"human_intent":"x","proposed_tx":{"order":"{}","transactions":["not an object"]}}',
    '{"human_intent":"x","preferences":{"slippage_bps":50.0,"protocol_allowlist":["uniswap"]},"return_prompts":false}',
  ])("accepts %s", (body) => {
    expect(accepts(body)).toBe(true);
  });

  test.each([
    "[]",
    "{}",
    '{"human_intent":5}',
    '{"human_intent":null}',
    '{"human_intent":"x","proposed_tx":"0x"}',
    '{"human_intent":"x","proposed_tx":[]}',
    '{"human_intent":"x","proposed_tx":{"to":5}}',
    '{"human_intent":"x","proposed_tx":{"value":{}}}',
    '{"human_intent":"x","proposed_tx":{"value":true}}',
    '{"human_intent":"x","proposed_tx":{"transactions":{}}}',
    '{"human_intent":"x","proposed_tx":{"metadata":[]}}',
    '{"human_intent":"x","metadata":"x"}',
    '{"human_intent":"x","preferences":{"slippage_bps":"50"}}',
    '{"human_intent":"x","return_prompts":"no"}',
  ])("rejects %s", (body) => {
    expect(accepts(body)).toBe(false);
  });
});
