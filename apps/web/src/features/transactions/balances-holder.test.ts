import { describe, expect, test } from "vitest";
import { holderOf } from "./balances-holder.ts";

const me = `0x${"Aa".repeat(20)}`;
const safe = `0x${"5A".repeat(20)}`;
const other = `0x${"0b".repeat(20)}`;
type Proposed = Parameters<typeof holderOf>[0];
const nothing = { escrowAddress: me, tx: null, typedData: null, safeTransaction: null };
const typed = (primaryType: string): Proposed => ({
  ...nothing,
  typedData: { domain: { verifyingContract: safe }, types: {}, primaryType, message: {} },
});
const call = (data: string): Proposed => ({ ...nothing, tx: { to: safe, value: "0", data } });
const confirmation = { ...nothing, safeTransaction: { safe } } as unknown as Proposed;

describe("the balances of a report are shown", () => {
  test("for the account, in any letter case", () => {
    expect(holderOf(call("0x"), me.toLowerCase())).toBe("account");
  });

  test.each([
    ["executes a transaction of it", call("0x6A761202ff")],
    ["confirms a transaction of it", confirmation],
    ["signs a transaction of it as typed data", typed("SafeTx")],
  ])("for a Safe if the account %s", (_, proposed) => {
    expect(holderOf(proposed, safe.toLowerCase())).toBe("safe");
    expect(holderOf(proposed, other)).toBeUndefined();
  });

  test.each([
    ["a contract that is called", call("0xa9059cbb")],
    ["the contract of a permit", typed("Permit")],
    ["any other account", nothing],
  ])("not for %s", (_, proposed) => {
    expect(holderOf(proposed, safe)).toBeUndefined();
  });
});
