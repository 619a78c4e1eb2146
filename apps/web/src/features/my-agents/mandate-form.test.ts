import { expect, test } from "vitest";
import { assetChoices, draftOf, emptyFields, fieldsOf, problemsOf, type Fields } from "./mandate-form.ts";

const now = new Date("2026-11-18T01:00:00Z");
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const usdc = "eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const good: Fields = {
  ...emptyFields(now),
  ...{ purpose: " Bills ", asset: usdc, each: "200", most: "500.5", recipients: `${alice}\n` },
};

test("offers tokens and coins by name", () => {
  expect(assetChoices).toContainEqual([usdc, "USDC on Base"]);
  expect(assetChoices).toContainEqual(["eip155:11155111/slip44:60", "ETH on Sepolia"]);
});

test("turns fields into a draft", () => {
  expect(problemsOf(good, now)).toEqual({});
  expect(draftOf(good, "key:1")).toEqual({
    ...{ agent: "key:1", purpose: "Bills", acts: ["transfer"], assets: [usdc] },
    recipients: [`eip155:8453:${alice}`],
    limits: [
      { measure: usdc, decimals: 6, span: "transaction", seconds: 0, most: "200" },
      { measure: usdc, decimals: 6, span: "rolling", seconds: 86_400, most: "500.5" },
    ],
    validUntil: Date.parse("2026-12-18T23:59:59Z") / 1000,
  });
  const total = draftOf({ ...good, each: "", period: "total", isAnyone: true }, "key:1");
  expect(total).toMatchObject({ recipients: ["*"], limits: [{ span: "total", seconds: 0 }] });
});

test("reads back what it wrote", () => {
  expect(fieldsOf(draftOf(good, "key:1"))).toEqual({ ...good, purpose: "Bills", recipients: alice });
});

test("does not show terms that it cannot express", () => {
  const draft = draftOf(good, "key:1");
  expect(fieldsOf({ ...draft, acts: ["transfer", "swap"] })).toBeUndefined();
  expect(fieldsOf({ ...draft, assets: [usdc, "eip155:1/slip44:60"] })).toBeUndefined();
  expect(fieldsOf({ ...draft, limits: [...draft.limits, ...draft.limits] })).toBeUndefined();
});

test.each([
  ["purpose", { purpose: " " }],
  ["each", { each: "0" }],
  ["each", { each: "1.1234567" }],
  ["most", { most: "" }],
  ["most", { most: "-1" }],
  ["most", { most: "1e5" }],
  ["recipients", { recipients: "" }],
  ["recipients", { recipients: "bob.eth" }],
  ["recipients", { recipients: `${alice} ${alice.toLowerCase()}` }],
  ["until", { until: "2026-11-17" }],
  ["until", { until: "2028-01-01" }],
  ["until", { until: "" }],
] as const)("reports a problem of %s: %j", (field, changes) => {
  expect(Object.keys(problemsOf({ ...good, ...changes }, now))).toEqual([field]);
});
