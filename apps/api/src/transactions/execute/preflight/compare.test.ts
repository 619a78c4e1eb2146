import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Hex } from "../../transaction.ts";
import { differences } from "./compare.ts";
import { nativeAsset, type Allowance, type Effects, type Movement } from "./effects.ts";
import type { Snapshot } from "./snapshot.ts";

const address = (at: number): Hex => `0x${at.toString(16).padStart(40, "0")}`;
const hash = (at: number): Hex => `0x${at.toString(16).padStart(64, "0")}`;
const [escrow, pool, token, other] = [address(1), address(2), address(3), address(4)];

const moved = (amount: bigint, more: Partial<Movement> = {}): Movement => ({
  ...{ asset: token, id: null, party: pool, amount: amount.toString() },
  ...more,
});
const allowed = (more: Partial<Allowance> = {}): Allowance => ({
  ...{ kind: "amount", asset: token, id: null, spender: pool, amount: "5" },
  ...more,
});
const aSnapshot = (effects: Partial<Effects> = {}, more: Partial<Snapshot> = {}): Snapshot => ({
  block: "100",
  succeeded: true,
  reason: null,
  gained: "0",
  effects: { out: [], in: [], allowances: [], unreadable: [], ...effects },
  code: { [escrow]: hash(0), [pool]: hash(1) },
  ...more,
});
const compare = (before: Snapshot, now: Snapshot, toleranceBps = 100) =>
  differences(before, now, { toleranceBps });

const money = { asset: nativeAsset };
const swap = aSnapshot({ out: [moved(100n, money)], in: [moved(10_000n)] });
const payment = aSnapshot({ out: [moved(100n)] });
const item = { id: "7" };

describe("reports", () => {
  test.each<[string, Snapshot, Snapshot, string]>([
    [
      "that it would have failed",
      aSnapshot({}, { succeeded: false, reason: "no" }),
      aSnapshot(),
      "it would have failed when it was verified: no",
    ],
    [
      "that it would have failed then and would fail now",
      aSnapshot({}, { succeeded: false }),
      aSnapshot({}, { succeeded: false }),
      "it would have failed when it was verified",
    ],
    ["that it would fail", swap, aSnapshot({}, { succeeded: false, reason: "no" }), "it would fail now: no"],
    [
      "more that goes out",
      swap,
      aSnapshot({ ...swap.effects, out: [moved(101n, money)] }),
      `more of the native token would go to ${pool}: 101 instead of 100`,
    ],
    [
      "another recipient",
      payment,
      aSnapshot({ out: [moved(100n), moved(1n, { party: other })] }),
      `${token} would go to ${other}, which got none of it when it was verified`,
    ],
    [
      "something else that goes out",
      swap,
      aSnapshot({ ...swap.effects, out: [moved(100n, money), moved(1n, { asset: other })] }),
      `${other} would go to ${pool}, which got none of it when it was verified`,
    ],
    [
      "less of a payment",
      payment,
      aSnapshot({ out: [moved(99n)] }),
      `less of ${token} would go to ${pool}: 99 instead of 100`,
    ],
    ["no payment at all", payment, aSnapshot(), `less of ${token} would go to ${pool}: 0 instead of 100`],
    [
      "another single thing that goes out",
      aSnapshot({ out: [moved(1n, item)], in: [moved(1n, money)] }),
      aSnapshot({ out: [moved(1n, { id: "8" })], in: [moved(1n, money)] }),
      `${token} number 8 would go to ${pool}, which got none of it when it was verified`,
    ],
    [
      "less that comes in, beyond the tolerance",
      swap,
      aSnapshot({ ...swap.effects, in: [moved(9_899n)] }),
      `less of ${token} would come in: 9899 instead of 10000`,
    ],
    [
      "that nothing comes in any more",
      swap,
      aSnapshot({ out: swap.effects.out }),
      `${token} would no longer come in`,
    ],
    [
      "another single thing that comes in",
      aSnapshot({ in: [moved(1n, item)] }),
      aSnapshot({ in: [moved(1n, { id: "8" })] }),
      `${token} number 7 would no longer come in`,
    ],
    [
      "less of what has a number, within the tolerance",
      aSnapshot({ in: [moved(100n, item)] }),
      aSnapshot({ in: [moved(99n, item)] }),
      `less of ${token} number 7 would come in: 99 instead of 100`,
    ],
    [
      "a larger native loss than the logs show",
      { ...swap, gained: "-100" },
      { ...swap, gained: "-101" },
      "the wallet's balance of the native token would change by -101 instead of -100",
    ],
    [
      "a smaller native gain than the logs show",
      aSnapshot({ in: [moved(10_000n, money)] }, { gained: "10000" }),
      aSnapshot({ in: [moved(10_000n, money)] }, { gained: "9899" }),
      "the wallet's balance of the native token would change by 9899 instead of 10000",
    ],
    [
      "an allowance that is new",
      aSnapshot(),
      aSnapshot({ allowances: [allowed()] }),
      `${pool} would be allowed 5 of ${token} (amount), instead of none`,
    ],
    [
      "an allowance that is missing",
      aSnapshot({ allowances: [allowed()] }),
      aSnapshot(),
      `${pool} would be allowed none of ${token} (amount), instead of 5`,
    ],
    [
      "an allowance of another amount",
      aSnapshot({ allowances: [allowed()] }),
      aSnapshot({ allowances: [allowed({ amount: "6" })] }),
      `${pool} would be allowed 6 of ${token} (amount), instead of 5`,
    ],
    [
      "other code",
      aSnapshot(),
      aSnapshot({}, { code: { [escrow]: hash(0), [pool]: hash(2) } }),
      `the code at ${pool} has changed since it was verified`,
    ],
    [
      "code that it did not reach",
      aSnapshot(),
      aSnapshot({}, { code: { ...aSnapshot().code, [other]: hash(2) } }),
      `it would reach code at ${other}, which it did not when it was verified`,
    ],
    [
      "something new that cannot be read",
      aSnapshot(),
      aSnapshot({ unreadable: [{ address: other, digest: hash(1), times: 1 }] }),
      `${other} would emit a different event about this wallet, which cannot be decoded`,
    ],
    [
      "something that cannot be read, said more often",
      aSnapshot({ unreadable: [{ address: other, digest: hash(1), times: 1 }] }),
      aSnapshot({ unreadable: [{ address: other, digest: hash(1), times: 2 }] }),
      `${other} would emit a different event about this wallet, which cannot be decoded`,
    ],
  ])("%s", (_, before, now, sentence) => {
    expect(compare(before, now)).toEqual([sentence]);
  });

  test("every difference, not only the first", () => {
    const worse = aSnapshot(
      { out: [moved(101n, money)], in: [moved(1n)], allowances: [allowed()] },
      { code: { [escrow]: hash(9), [pool]: hash(1) } },
    );
    expect(compare(swap, worse)).toHaveLength(4);
  });

  test("any smaller incoming amount without a tolerance", () => {
    expect(compare(swap, aSnapshot({ ...swap.effects, in: [moved(9_999n)] }), 0)).toHaveLength(1);
  });

  test("a missing incoming amount, whatever the tolerance", () => {
    expect(compare(swap, aSnapshot({ out: swap.effects.out }), 10_000)).toHaveLength(1);
  });
});

describe("accepts", () => {
  test.each<[string, Snapshot, Snapshot]>([
    ["another block", swap, { ...swap, block: "200" }],
    ["a little less that comes in", swap, aSnapshot({ ...swap.effects, in: [moved(9_900n)] })],
    ["a little less money of the chain", { ...swap, gained: "10000" }, { ...swap, gained: "9900" }],
    ["less money of the chain that is gone", { ...swap, gained: "-100" }, { ...swap, gained: "-99" }],
    ["more that comes in", swap, aSnapshot({ ...swap.effects, in: [moved(20_000n)] })],
    [
      "the same from another sender",
      swap,
      aSnapshot({ ...swap.effects, in: [moved(10_000n, { party: other })] }),
    ],
    [
      "the same in parts",
      swap,
      aSnapshot({ ...swap.effects, in: [moved(4_000n), moved(6_000n, { party: other })] }),
    ],
    ["less that an exchange costs", swap, aSnapshot({ ...swap.effects, out: [moved(99n, money)] })],
    ["something for nothing", swap, aSnapshot({ ...swap.effects, out: [] })],
    [
      "something else that comes in as well",
      swap,
      aSnapshot({ ...swap.effects, in: [moved(10_000n), moved(1n, { asset: other })] }),
    ],
    [
      "code that it reaches no more",
      aSnapshot({}, { code: { ...aSnapshot().code, [other]: hash(2) } }),
      aSnapshot(),
    ],
  ])("%s", (_, before, now) => {
    expect(compare(before, now)).toEqual([]);
  });
});

const anyAddress = fc.integer({ min: 1, max: 6 }).map(address);
const anyId = fc.constantFrom(null, "0", "7", "new");
const anyAmount = fc.bigInt(1n, 2n ** 256n - 1n).map(String);
const movements = (minLength: number) =>
  fc.uniqueArray(fc.record({ asset: anyAddress, id: anyId, party: anyAddress, amount: anyAmount }), {
    ...{
      minLength,
      maxLength: 4,
      selector: ({ asset, id, party }: Movement) => `${asset} ${id ?? ""} ${party}`,
    },
  });
const allowances = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom("amount", "item", "all", "permit2"),
    ...{ asset: anyAddress, id: anyId, spender: anyAddress, amount: anyAmount },
  }),
  { maxLength: 3, selector: (one) => `${one.kind} ${one.asset} ${one.id ?? ""} ${one.spender}` },
);
const anySnapshot: fc.Arbitrary<Snapshot> = fc
  .record({
    ...{ out: movements(1), in: movements(1), allowances },
    code: fc.dictionary(anyAddress, fc.integer({ min: 0, max: 9 }).map(hash), { minKeys: 1 }),
  })
  .map(({ code, ...effects }) => aSnapshot(effects, { code }));
const tolerance = fc.integer({ min: 0, max: 10_000 });

const plus = (amount: string, more: bigint): string => (BigInt(amount) + more).toString();
/** The same list, with one element changed. */
const withOne = <T>(list: readonly T[], at: number, change: (one: T) => readonly T[]): readonly T[] =>
  list.flatMap((one, index) => (index === at % list.length ? change(one) : [one]));

type Change = (snapshot: Snapshot, at: number) => Snapshot;
const changeEffects =
  (change: (effects: Effects, at: number) => Partial<Effects>): Change =>
  (snapshot, at) => ({ ...snapshot, effects: { ...snapshot.effects, ...change(snapshot.effects, at) } });
const stranger = address(99);
const atNumber = (snapshot: Snapshot, at: number): string =>
  Object.keys(snapshot.code)[at % Object.keys(snapshot.code).length] ?? "";

const worse: Readonly<Record<string, Change>> = {
  "it fails": (snapshot) => ({ ...snapshot, succeeded: false }),
  "more goes out": changeEffects(({ out }, at) => ({
    out: withOne(out, at, (one) => [{ ...one, amount: plus(one.amount, 1n) }]),
  })),
  "it goes to a stranger": changeEffects(({ out }, at) => ({
    out: withOne(out, at, (one) => [{ ...one, party: stranger }]),
  })),
  "another asset goes out": changeEffects(({ out }, at) => ({
    out: withOne(out, at, (one) => [{ ...one, asset: stranger }]),
  })),
  "an asset comes in no more": changeEffects(({ in: into }, at) => {
    const gone = into[at % into.length];
    return { in: into.filter(({ asset, id }) => asset !== gone?.asset || id !== gone.id) };
  }),
  "a new allowance": changeEffects((effects) => ({
    allowances: [...effects.allowances, allowed({ spender: stranger })],
  })),
  "a larger allowance": changeEffects((effects, at) =>
    effects.allowances.length === 0
      ? { allowances: [allowed()] }
      : { allowances: withOne(effects.allowances, at, (one) => [{ ...one, amount: plus(one.amount, 1n) }]) },
  ),
  "other code": (snapshot, at) => ({
    ...snapshot,
    code: { ...snapshot.code, [atNumber(snapshot, at)]: hash(77) },
  }),
  "more money of the chain is gone": (snapshot) => ({ ...snapshot, gained: "-1" }),
  "new code": (snapshot) => ({ ...snapshot, code: { ...snapshot.code, [stranger]: hash(1) } }),
};

const better: Readonly<Record<string, Change>> = {
  "less goes out": changeEffects(({ out }, at) => ({
    out: withOne(out, at, (one) => (one.amount === "1" ? [] : [{ ...one, amount: plus(one.amount, -1n) }])),
  })),
  "something does not go out": changeEffects(({ out }, at) => ({ out: withOne(out, at, () => []) })),
  "more comes in": changeEffects(({ in: into }, at) => ({
    in: withOne(into, at, (one) => [{ ...one, amount: plus(one.amount, 1n) }]),
  })),
  "something more comes in": changeEffects(({ in: into }) => ({
    in: [...into, moved(1n, { asset: stranger })],
  })),
  "more money of the chain is there": (snapshot) => ({ ...snapshot, gained: "1" }),
  "less code is reached": (snapshot, at) => {
    const gone = atNumber(snapshot, at);
    return {
      ...snapshot,
      code: Object.fromEntries(Object.entries(snapshot.code).filter(([one]) => one !== gone)),
    };
  },
};

describe("for any call that would have succeeded", () => {
  test("a snapshot does not differ from itself", () => {
    fc.assert(
      fc.property(anySnapshot, tolerance, (one, bps) => {
        expect(compare(one, one, bps)).toEqual([]);
      }),
    );
  });

  test.each(Object.entries(worse))("reports any change for the worse: %s", (_, change) => {
    fc.assert(
      fc.property(anySnapshot, tolerance, fc.nat(), (one, bps, at) => {
        expect(compare(one, change(one, at), bps)).not.toEqual([]);
      }),
    );
  });

  test.each(Object.entries(better))("accepts any change for the better: %s", (_, change) => {
    fc.assert(
      fc.property(anySnapshot, tolerance, fc.nat(), (one, bps, at) => {
        expect(compare(one, change(one, at), bps)).toEqual([]);
      }),
    );
  });

  test("reports a smaller incoming amount exactly beyond the tolerance", () => {
    const amount = fc.bigInt(1n, 10n ** 30n);
    fc.assert(
      fc.property(amount, amount, tolerance, (was, is, bps) => {
        const noticed =
          compare(aSnapshot({ in: [moved(was)] }), aSnapshot({ in: [moved(is)] }), bps).length > 0;
        expect(noticed).toBe(is * 10_000n < was * BigInt(10_000 - bps));
      }),
    );
  });
});
