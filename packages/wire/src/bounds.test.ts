import { describe, expect, test } from "vitest";
import { findBreaches, readBounds, type Bounds, type Fresh } from "./bounds.ts";

const me = `0x${"11".repeat(20)}` as const;
const bob = `0x${"22".repeat(20)}` as const;
const usdc = `0x${"cc".repeat(20)}` as const;
const weth = `0x${"ee".repeat(20)}` as const;
const hash = `0x${"ab".repeat(32)}` as const;

const change = (given: object) => ({ kind: "token", symbol: "USDC", address: usdc, holder: me, ...given });
const swap = [
  change({ approved: "-3000", least: "-3000" }),
  change({ symbol: "WETH", address: weth, approved: "1000", least: "990" }),
];
const aReport = (given: object = {}) => ({
  context: {
    bounds: {
      ...{ status: "known", account: me, block: { number: "7", hash } },
      ...{ changes: swap, allowances: [], ...given },
    },
  },
});
const boundsOf = (given: object = {}): Bounds => {
  const read = readBounds(aReport(given));
  if ("why" in read) throw new Error(read.why);
  return read;
};

describe("the bounds of a report", () => {
  test("are read with addresses in lower case", () => {
    expect(
      readBounds(
        aReport({
          account: me.toUpperCase().replace("0X", "0x"),
          allowances: [{ spender: bob, token: usdc, most: "5" }],
        }),
      ),
    ).toEqual({
      account: me,
      block: { number: 7n, hash },
      changes: [
        { holder: me, token: usdc, symbol: "USDC", approved: -3000n, least: -3000n },
        { holder: me, token: weth, symbol: "WETH", approved: 1000n, least: 990n },
      ],
      allowances: [{ spender: bob, token: usdc, most: 5n }],
    });
  });

  test.each([
    ["nothing", undefined, "without the state"],
    ["null", null, "without the state"],
    ["a report without a state", { context: {} }, "without the state"],
    ["unknown bounds", { context: { bounds: { status: "unknown", why: "NFTs" } } }, "NFTs"],
  ])("are absent in %s", (_, report, why) => {
    expect(readBounds(report)).toEqual({ why: expect.stringContaining(why) as string, isMalformed: false });
  });

  test.each([
    ["of another status", { status: "perhaps" }],
    ["without an account", { account: undefined }],
    ["of a short account", { account: "0x11" }],
    ["without a block", { block: null }],
    ["with a block number", { block: { number: 7, hash } }],
    ["without changes", { changes: undefined }],
    ["with a change of another kind", { changes: [change({ kind: "nft", approved: "1", least: "1" })] }],
    ["with a token without an address", { changes: [change({ address: null, approved: "1", least: "1" })] }],
    ["with an amount that is a number", { changes: [change({ approved: 1, least: "1" })] }],
    ["with a bound above the approved change", { changes: [change({ approved: "1", least: "2" })] }],
    ["with a malformed allowance", { allowances: [{ spender: bob }] }],
  ])("are malformed %s", (_, given) => {
    expect(readBounds(aReport(given))).toMatchObject({ isMalformed: true });
  });
});

const fresh = (changes: readonly (bigint | null)[], given: object = {}): Fresh => ({
  ...{ succeeded: true, changes, outgoing: [], allowances: [] },
  ...given,
});

describe("a fresh simulation", () => {
  test.each([
    ["the same", [-3000n, 1000n]],
    ["more arrives", [-3000n, 5000n]],
    ["less leaves", [-1n, 1000n]],
    ["exactly at the bound", [-3000n, 990n]],
  ])("is within the bounds: %s", (_, changes) => {
    const outgoing = [{ token: usdc, amount: 3000n }];
    expect(findBreaches(boundsOf(), fresh(changes, { outgoing }))).toEqual([]);
  });

  test.each<[string, Fresh, string]>([
    [
      "more leaves",
      fresh([-3001n, 1000n]),
      `3001 base units of USDC (${usdc}) would leave: 3000 when it was approved`,
    ],
    ["less arrives", fresh([-3000n, 989n]), "989 base units of WETH"],
    ["what arrived would leave", fresh([-3000n, -1n]), "1 base units of WETH"],
    ["it fails", { succeeded: false, reason: "no" }, "it would fail now: no"],
    ["it fails without a reason", { succeeded: false, reason: null }, "it would fail now"],
    ["a balance is not measured", fresh([-3000n, null]), "could not be measured"],
    ["a balance is missing", fresh([-3000n]), "could not be measured"],
    [
      "another token leaves",
      fresh([-3000n, 1000n], { outgoing: [{ token: bob, amount: 4n }] }),
      `4 base units of ${bob} would leave`,
    ],
    [
      "an allowance is given",
      fresh([-3000n, 1000n], { allowances: [{ token: usdc, spender: bob, most: 9n }] }),
      `${bob} could take 9`,
    ],
  ])("is outside: %s", (_, found, why) => {
    expect(findBreaches(boundsOf(), found)).toEqual([expect.stringContaining(why)]);
  });

  test("may give the approved allowance, and no higher one", () => {
    const bounds = boundsOf({ changes: [], allowances: [{ spender: bob, token: usdc, most: "9" }] });
    const give = (most: bigint) => fresh([], { allowances: [{ token: usdc, spender: bob, most }] });
    expect([findBreaches(bounds, give(9n)).length, findBreaches(bounds, give(10n)).length]).toEqual([0, 1]);
  });

  test("must pay the recipient in full", () => {
    const native = { kind: "native", symbol: "ETH", holder: bob, approved: "5", least: "5" };
    const bounds = boundsOf({ changes: [native] });
    expect(findBreaches(bounds, fresh([5n]))).toEqual([]);
    expect(findBreaches(bounds, fresh([4n]))).toEqual([
      `4 base units of ETH would arrive at ${bob}: 5 arrived when it was approved, at least 5 must`,
    ]);
  });
});
