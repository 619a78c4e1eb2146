import fc from "fast-check";
import { getAddress } from "viem/utils";
import { describe, expect, test } from "vitest";
import { enforcerNames, type Enforcers } from "./caveats.ts";
import { unitsOf } from "./amounts.ts";
import {
  ConversionRefused,
  fromAp2,
  fromErc7710,
  fromErc7715,
  toAp2,
  toErc7710,
  toErc7715,
  type Draft,
  type Erc7715Permission,
  type MandateTerms,
} from "./index.ts";
import { lengthOf, windowWithin } from "./windows.ts";

const day = 86_400;
const begin = 1_800_000_000;
const delegate = `0x${"de".repeat(20)}` as const;
const eth = "eip155:1/slip44:60";
const usdc = `eip155:1/erc20:0x${"c0".repeat(20)}`;
const [alice, bob] = ["aa", "bb"].map((byte) => `eip155:1:0x${byte.repeat(20)}`) as [string, string];
const enforcers = Object.fromEntries(
  enforcerNames.map((name, index) => [name, getAddress(`0x${String(index + 1).padStart(40, "0")}`)]),
) as Enforcers;

type Limit = MandateTerms["limits"][number];
const limit = (more: Partial<Limit> = {}): Limit => ({
  ...{ measure: usdc, span: "period", seconds: day, most: "100", decimals: 6, ...more },
});
const mandate = (more: Partial<MandateTerms> = {}): MandateTerms => ({
  ...{ account: `0x${"ea".repeat(20)}`, homeChainId: 1, inbox: `0x${"1b".repeat(20)}` },
  ...{ agent: `key:${"0".repeat(36)}`, purpose: "Pay the shop", acts: ["transfer"], assets: [usdc] },
  ...{ recipients: [alice], limits: [limit()], validFrom: begin, validUntil: begin + 30 * day },
  nonce: `0x${"5a".repeat(32)}`,
  ...more,
});
const options = { agent: mandate().agent, now: begin, decimals: { [usdc]: 6 } };
/** The part of a mandate that a draft has. */
const draftOf = ({ account: _a, homeChainId: _h, inbox: _i, nonce: _n, ...draft }: MandateTerms): Draft =>
  draft as Draft;
const reasonsOf = (convert: () => unknown): readonly string[] => {
  try {
    convert();
  } catch (error) {
    if (error instanceof ConversionRefused) return error.reasons;
    throw error;
  }
  throw new Error("it was converted");
};

const anyUnits = fc.bigInt({ min: 1n, max: 10n ** 24n });
const tokens = (units: bigint, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
};
const recipientLists = fc.constantFrom<string[]>(["*"], [alice], [alice, bob]);
const periods = fc.integer({ min: 60, max: 20 * day });

describe("there and back", () => {
  test("ERC-7715 keeps every mandate with one limit per asset", () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, periods, recipientLists, (first, second, seconds, recipients) => {
        const terms = mandate({
          ...{ assets: [usdc, eth], recipients },
          limits: [
            limit({ seconds, most: tokens(first, 6) }),
            limit({ measure: eth, span: "total", seconds: 0, most: tokens(second, 18), decimals: 18 }),
          ],
        });
        const { permissions, narrowed } = toErc7715(terms, { delegate });
        const { drafts } = fromErc7715(permissions, options);
        const of = (asset: string) => ({
          ...{ ...draftOf(terms), assets: [asset] },
          limits: terms.limits.filter(({ measure }) => measure === asset),
        });
        expect(narrowed).toEqual([]);
        expect(drafts).toEqual([of(usdc), of(eth)]);
        // Through JSON, as a wallet gets it.
        expect(JSON.parse(JSON.stringify(permissions))).toEqual(permissions);
      }),
    );
  });

  test("ERC-7710 also keeps a total next to a period, a number of transactions, and several recipients", () => {
    fc.assert(
      fc.property(anyUnits, periods, recipientLists, fc.boolean(), (units, seconds, recipients, isNative) => {
        const [asset, decimals] = isNative ? [eth, 18] : [usdc, 6];
        const of = (more: Partial<Limit>) => limit({ measure: asset, decimals, ...more });
        const terms = mandate({
          ...{ assets: [asset], recipients },
          limits: [
            of({ seconds, most: tokens(units, decimals) }),
            of({ span: "total", seconds: 0, most: tokens(units * 3n, decimals) }),
            limit({ measure: "count", span: "total", seconds: 0, most: "7", decimals: 0 }),
            ...(isNative ? [of({ span: "transaction", seconds: 0, most: tokens(units, decimals) })] : []),
          ],
        });
        const { delegations, narrowed } = toErc7710(terms, { delegate, enforcers });
        const { drafts } = fromErc7710(delegations, { ...options, enforcers });
        expect(narrowed).toEqual([]);
        expect(drafts).toEqual([{ ...draftOf(terms), purpose: "Imported permission" }]);
      }),
    );
  });
});

describe("an export never allows more than the mandate", () => {
  const spans: fc.Arbitrary<Pick<Limit, "span" | "seconds">> = fc.oneof(
    fc.constantFrom<Pick<Limit, "span" | "seconds">>(
      { span: "transaction", seconds: 0 },
      { span: "total", seconds: 0 },
      { span: "day in Europe/Berlin", seconds: 0 },
      { span: "week in UTC", seconds: 0 },
      { span: "month in UTC", seconds: 0 },
    ),
    fc.record({
      span: fc.constantFrom("period" as const, "rolling" as const),
      seconds: fc.constantFrom(3_600, day, 2 * day, 5 * day, 7 * day + 60),
    }),
  );
  const limits = fc.array(
    fc
      .tuple(spans, fc.integer({ min: 1, max: 1_000 }))
      .map(([span, most]) => limit({ ...span, most: String(most) })),
    { minLength: 1, maxLength: 4 },
  );
  /** The most that limits see of payments: in any interval of their length, which is never less than the calendar's. */
  const isWithin = (
    one: Limit,
    paid: readonly { readonly at: number; readonly units: bigint }[],
  ): boolean => {
    const sum = (list: typeof paid): bigint => list.reduce((total, { units }) => total + units, 0n);
    const length = lengthOf(one);
    if (one.span === "transaction") return paid.every(({ units }) => units <= unitsOf(one));
    if (length === null) return sum(paid) <= unitsOf(one);
    const key = ({ at }: { readonly at: number }): number => Math.floor((at - begin) / length);
    if (one.span === "period")
      return paid.every((each) => sum(paid.filter((other) => key(other) === key(each))) <= unitsOf(one));
    return paid.every(
      ({ at }) => sum(paid.filter((other) => other.at >= at && other.at < at + length)) <= unitsOf(one),
    );
  };

  test("whenever the agent spends all that a permission has left", () => {
    const times = fc.array(fc.integer({ min: 0, max: 30 * day - 1 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(limits, times, fc.constantFrom(1n, 2n, 3n), (all, offsets, share) => {
        const terms = mandate({ limits: all });
        const window = windowWithin(all, terms);
        if (window === undefined) return;
        const spent = new Map<number, bigint>();
        const paid = [...offsets]
          .sort((one, other) => one - other)
          .map((offset) => {
            const key = window.seconds === null ? 0 : Math.floor(offset / window.seconds);
            const left = window.units - (spent.get(key) ?? 0n);
            const units = (left + share - 1n) / share;
            spent.set(key, (spent.get(key) ?? 0n) + units);
            return { at: begin + offset, units };
          });
        for (const one of all) expect([one, isWithin(one, paid)]).toEqual([one, true]);
      }),
      { numRuns: 500 },
    );
  });

  test("and says which limits became stricter", () => {
    const terms = mandate({ limits: [limit({ span: "rolling" })] });
    const { permissions, narrowed } = toErc7715(terms, { delegate });
    expect(permissions[0]?.permission.data).toMatchObject({ periodAmount: "0x2faf080", periodDuration: day });
    expect(narrowed).toEqual([
      `100 ${usdc} per rolling of 86400 s is held by 50 per fixed 86400 s, which never adds up to more.`,
    ]);
  });

  test("makes one permission per asset, because two would add up", () => {
    const terms = mandate({ limits: [limit(), limit({ span: "total", seconds: 0, most: "1500" })] });
    const { permissions, narrowed } = toErc7715(terms, { delegate });
    expect(permissions.map(({ permission }) => permission.data["periodAmount"])).toEqual(["0x2faf080"]);
    expect(narrowed).toHaveLength(2);
  });

  test("leaves out other acts, and assets without a recipient on their chain", () => {
    const polygon = "eip155:137/slip44:60";
    const terms = mandate({
      ...{ acts: ["transfer", "swap"], assets: [usdc, polygon] },
      limits: [limit(), limit({ measure: polygon, decimals: 18 })],
    });
    const { permissions, narrowed } = toErc7715(terms, { delegate });
    expect(permissions).toHaveLength(1);
    expect(narrowed).toEqual([
      "Only transfers are expressed, not swap.",
      `${polygon} is left out: no recipient is on its chain.`,
    ]);
  });

  test("refuses dollars, mandates without transfers, and for ERC-7715 numbers of transactions", () => {
    const dollars = mandate({
      limits: [limit(), limit({ measure: "usd", span: "total", seconds: 0, decimals: 0 })],
    });
    const count = mandate({ limits: [limit(), limit({ measure: "count", decimals: 0 })] });
    const swaps = mandate({ acts: ["swap"] });
    for (const terms of [dollars, swaps])
      for (const convert of [
        () => toErc7715(terms, { delegate }),
        () => toErc7710(terms, { delegate, enforcers }),
      ])
        expect(reasonsOf(convert)).toHaveLength(1);
    expect(reasonsOf(() => toErc7715(count, { delegate }))[0]).toContain("counts no transactions");
    expect(toErc7710(count, { delegate, enforcers }).narrowed[0]).toContain("100 transactions in total");
  });

  test("refuses limits that leave nothing", () => {
    const tiny = mandate({ limits: [limit({ span: "rolling", most: "0.000001" }), limit({ most: "0" })] });
    expect(reasonsOf(() => toErc7715(tiny, { delegate }))[0]).toContain("leave nothing");
    expect(reasonsOf(() => toErc7710(tiny, { delegate, enforcers }))[0]).toContain("leave nothing");
  });

  test("bounds the native currency that a token's call carries to 0, and no enforcer appears twice", () => {
    const terms = mandate({
      limits: [limit(), limit({ span: "rolling" }), limit({ span: "total", seconds: 0 })],
    });
    const [delegation] = toErc7710(terms, { delegate, enforcers }).delegations;
    const used = delegation?.caveats.map(({ enforcer }) => enforcer) ?? [];
    expect(delegation?.caveats).toContainEqual({
      enforcer: enforcers.ValueLte,
      terms: `0x${"00".repeat(32)}`,
      args: "0x",
    });
    expect(new Set(used).size).toBe(used.length);
  });
});

describe("an import never allows more than the permission", () => {
  const permission = (
    type: string,
    data: object,
    rules: Erc7715Permission["rules"] = [],
  ): Erc7715Permission => ({
    ...{ chainId: "0x1", to: delegate, rules },
    permission: { type, isAdjustmentAllowed: false, data: { startTime: begin, ...data } },
  });

  test("keeps two permissions for one asset apart, because they add up", () => {
    const one = permission("native-token-allowance", { allowanceAmount: "0x5" });
    expect(fromErc7715([one, one], options).drafts).toHaveLength(2);
  });

  test("at every time a draft from a stream has allowed at most what the stream has", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        fc.integer({ min: 0, max: 60 * day }),
        (initial, perSecond, later) => {
          const stream = permission("native-token-stream", {
            ...{ initialAmount: initial, amountPerSecond: perSecond, maxAmount: 10n ** 15n },
          });
          const [draft] = fromErc7715([stream], options).drafts;
          const [windowed, total] = draft?.limits ?? [];
          if (draft?.validFrom === undefined || windowed === undefined || total === undefined)
            throw new Error();
          const at = draft.validFrom + later;
          const windows = BigInt(Math.floor(later / (windowed.seconds ?? 1)) + 1);
          const units = unitsOf({ most: windowed.most, decimals: 18 }) * windows;
          expect(units <= initial + perSecond * BigInt(at - begin)).toBe(true);
          expect(unitsOf({ most: total.most, decimals: 18 })).toBe(10n ** 15n);
        },
      ),
    );
  });

  test("ends after a year, counts a long period as a total, and a short one by the minute", () => {
    const data = { periodAmount: "1000000", tokenAddress: `0x${"c0".repeat(20)}` };
    const read = (periodDuration: number) =>
      fromErc7715([permission("erc20-token-periodic", { ...data, periodDuration })], options);
    expect(read(400 * day).drafts[0]).toMatchObject({
      validUntil: begin + 366 * day,
      limits: [{ span: "total", most: "1" }],
    });
    expect(read(25).drafts[0]).toMatchObject({ limits: [{ span: "period", seconds: 75 }] });
    expect(read(25).narrowed).toHaveLength(2);
  });

  test.each([
    ["an unknown type", permission("erc20-token-revocation", {}), "not known"],
    [
      "an unknown rule",
      permission("native-token-allowance", { allowanceAmount: "0x1" }, [{ type: "hours", data: {} }]),
      "not known",
    ],
    [
      "no limit",
      permission("native-token-allowance", { allowanceAmount: `0x${"ff".repeat(32)}` }),
      "too large",
    ],
    ["no amount", permission("native-token-allowance", {}), "not a number"],
    [
      "a payee that is no address",
      permission("native-token-allowance", { allowanceAmount: "1" }, [{ type: "payee", data: {} }]),
      "not an address",
    ],
  ])("refuses %s", (_name, one, reason) => {
    expect(reasonsOf(() => fromErc7715([one], options))[0]).toContain(reason);
  });

  const delegation = (terms = mandate()) => {
    const [made] = toErc7710(terms, { delegate, enforcers }).delegations;
    if (made === undefined) throw new Error("no delegation");
    return made;
  };
  const caveat = (name: keyof Enforcers, terms: `0x${string}`) => ({
    enforcer: enforcers[name],
    terms,
    args: "0x" as const,
  });
  const read = (one: ReturnType<typeof delegation>) => fromErc7710([one], { ...options, enforcers });

  test.each([
    [
      "a delegation that passes on another",
      { ...delegation(), authority: `0x${"12".repeat(32)}` as const },
      "passes on",
    ],
    [
      "an unknown enforcer",
      {
        ...delegation(),
        caveats: [...delegation().caveats, { enforcer: delegate, terms: "0x", args: "0x" } as const],
      },
      "not known",
    ],
    [
      "an enforcer twice",
      { ...delegation(), caveats: [...delegation().caveats, ...delegation().caveats] },
      "twice",
    ],
    ["no limit", { ...delegation(), caveats: [] }, "not about one asset"],
    [
      "bounded call data",
      {
        ...delegation(mandate({ recipients: ["*"] })),
        caveats: [
          ...delegation(mandate({ recipients: ["*"] })).caveats,
          caveat("AllowedCalldata", `0x${"00".repeat(31)}24${"00".repeat(32)}`),
        ],
      },
      "not about the recipient",
    ],
    [
      "another method",
      {
        ...delegation(),
        caveats: delegation().caveats.map((one) =>
          one.enforcer === enforcers.AllowedMethods ? caveat("AllowedMethods", "0x12345678") : one,
        ),
      },
      "does not allow transfers",
    ],
  ])("refuses %s", (_name, one, reason) => {
    expect(reasonsOf(() => read(one))[0]).toContain(reason);
  });

  test("begins with a window of the delegation", () => {
    const later = mandate({ validFrom: begin + 100, validUntil: begin + 30 * day });
    const shifted = {
      ...delegation(later),
      caveats: delegation(later).caveats.map((one) =>
        one.enforcer === enforcers.Timestamp
          ? (delegation(mandate({ validFrom: begin + 200 })).caveats.find(
              ({ enforcer }) => enforcer === enforcers.Timestamp,
            ) ?? one)
          : one,
      ),
    };
    expect(read(shifted).drafts[0]?.validFrom).toBe(begin + 100 + day);
  });
});

describe("AP2", () => {
  test("an exported intent has no amounts, so the user confirms each cart", () => {
    const { intent, narrowed } = toAp2(mandate());
    expect(intent).toEqual({
      natural_language_description: `Pay the shop. At most 100 ${usdc} per period of 86400 s.`,
      merchants: [alice],
      intent_expiry: new Date((begin + 30 * day) * 1000).toISOString(),
      user_cart_confirmation_required: true,
    });
    expect(narrowed).toHaveLength(2);
    expect(reasonsOf(() => toAp2(mandate({ acts: ["swap"] })))).toHaveLength(1);
  });
  const given = { ...options, assets: [usdc], limits: [limit()] as Draft["limits"] };
  test("an import takes the limits from the owner", () => {
    const intent = { ...toAp2(mandate()).intent, user_cart_confirmation_required: false };
    expect(fromAp2(intent, given).drafts).toEqual([
      { ...draftOf(mandate()), purpose: `Pay the shop. At most 100 ${usdc} per period of 86400 s.` },
    ]);
  });
  test.each([
    ["a confirmation of each cart", { user_cart_confirmation_required: true }],
    ["SKUs", { skus: ["A-1"] }],
    ["refunds", { requires_refundability: true }],
    ["a merchant without an address", { merchants: ["Shop Ltd"] }],
    ["an empty list of merchants", { merchants: [] }],
    ["an end that is no time", { intent_expiry: "soon" }],
  ])("refuses %s", (_name, more) => {
    const intent = { ...toAp2(mandate()).intent, user_cart_confirmation_required: false, ...more };
    expect(reasonsOf(() => fromAp2(intent, given))).toHaveLength(1);
  });
});
