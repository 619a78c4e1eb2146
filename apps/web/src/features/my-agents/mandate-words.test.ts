import type { Mandate } from "@countersign/sdk";
import { expect, test } from "vitest";
import {
  actWords,
  assetWords,
  limitWords,
  recipientsOf,
  tightestUse,
  useOfLimit,
  worstCase,
} from "./mandate-words.ts";

const usdc = "eip155:8453/erc20:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const alice = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const day = { measure: usdc, span: "period", seconds: 86_400, most: "500", decimals: 6 } as const;
const each = { measure: usdc, span: "transaction", seconds: 0, most: "200", decimals: 6 } as const;
const chosen = {
  ...{ acts: ["transfer", "swap"], assets: [usdc], recipients: [`eip155:8453:${alice}`], purpose: "Bills" },
  limits: [each, day],
};

test("says acts, assets and recipients in plain terms", () => {
  expect(actWords(chosen)).toBe("send payments and swap");
  expect(assetWords(chosen)).toBe("USDC on Base");
  expect(recipientsOf(chosen)).toEqual([{ address: alice, chain: "Base" }]);
  expect(recipientsOf({ recipients: ["*"] })).toBeUndefined();
  expect(actWords({ acts: ["unknown_act"] })).toBe("unknown_act");
});

test.each([
  [each, "200 USDC each"],
  [day, "500 USDC a day"],
  [{ ...day, seconds: 3600 }, "500 USDC an hour"],
  [{ ...day, seconds: 3 * 86_400 }, "500 USDC every 3 days"],
  [{ ...day, seconds: 7 * 86_400 }, "500 USDC a week"],
  [{ ...day, seconds: 61 }, "500 USDC every 61 seconds"],
  [{ ...day, measure: "count", span: "total", seconds: 0, most: "1" } as const, "1 transaction in total"],
  [{ ...day, measure: "usd" }, "$500 a day"],
  [{ ...day, span: "rolling" } as const, "500 USDC in any day"],
  [{ ...day, span: "rolling", seconds: 7200 } as const, "500 USDC in any 2 hours"],
  [
    { ...day, span: "month in Europe/Zurich", seconds: 0 } as const,
    "500 USDC each calendar month (Europe/Zurich)",
  ],
  [{ ...day, span: "fortnight" as "total", seconds: 0 }, "500 USDC fortnight"],
])("writes the limit %j", (limit, text) => {
  expect(limitWords(limit)).toBe(text);
});

test("sums up the worst case without limits that do not bound it", () => {
  expect(worstCase(chosen)).toBe("500 USDC a day, only to 1 address");
  expect(worstCase({ ...chosen, recipients: ["*"] })).toBe("500 USDC a day, to anyone");
});

const used = { reserved: "0", spent: "0", windowStart: "2026-11-18T00:00:00Z" };

test("shows how much of a limit is left", () => {
  expect(useOfLimit({ ...day, ...used, left: "380" })).toEqual({
    ...{ label: "Per day", text: "380 USDC left of 500 USDC", isReached: false },
    share: 0.24,
  });
  expect(useOfLimit({ ...day, ...used, left: "0" })).toMatchObject({ share: 1, isReached: true });
  expect(useOfLimit({ ...each, ...used, left: "200" })).toBeUndefined();
});

test("finds the limit that is closest to being reached", () => {
  const limits = [
    { ...day, ...used, left: "380" },
    { ...day, ...used, measure: "count", most: "10", left: "1" },
  ];
  expect(tightestUse([{ limits } as unknown as Mandate])?.text).toBe("1 transaction left of 10");
  expect(tightestUse([])).toBeUndefined();
});
