import type { Mandate } from "@countersign/sdk";
import { expect, test } from "vitest";
import { isAsDrafted } from "./as-drafted.ts";

const account = `0x${"Ab".repeat(20)}`;
const limit = {
  measure: "eip155:1/erc20:0xAB",
  span: "period",
  seconds: 60,
  most: "5",
  decimals: 6,
} as const;
const draft = {
  ...{
    agent: "key:1",
    purpose: "Bills",
    acts: ["transfer" as const],
    assets: [limit.measure],
    recipients: ["*"],
  },
  ...{ limits: [limit], validUntil: 20 },
};
const terms: Mandate["terms"] = {
  ...{ ...draft, account: account.toLowerCase(), homeChainId: 1, inbox: "0x", validFrom: 10, nonce: "0x" },
  assets: [limit.measure.toLowerCase()],
};

test("accepts the service's spelling of the same terms", () => {
  expect(isAsDrafted(terms, draft, account)).toBe(true);
});

test.each<Partial<Mandate["terms"]>>([
  { account: "0x1" },
  { agent: "key:2" },
  { purpose: "Other" },
  { acts: ["transfer", "swap"] },
  { assets: [] },
  { recipients: ["eip155:1:0x1"] },
  { limits: [{ ...limit, most: "6" }] },
  { limits: [{ ...limit, decimals: 0 }] },
  { validUntil: 21 },
])("rejects terms with another %j", (changes) => {
  expect(isAsDrafted({ ...terms, ...changes }, draft, account)).toBe(false);
});

test("rejects another start than the one that was asked for", () => {
  expect(isAsDrafted(terms, { ...draft, validFrom: 11 }, account)).toBe(false);
});
