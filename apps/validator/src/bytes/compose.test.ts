import { describe, expect, test } from "vitest";
import { everything, exactly, MAX_UINT, native, token, type Effect, type Party } from "../effects.ts";
import type { Address } from "../proposal.ts";
import type { Draft, DraftFlow } from "../protocol.ts";
import { describeEffect } from "../../test/protocols.ts";
import { compose } from "./compose.ts";
import { makeEffect, type Origin } from "./make-effect.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const FAKE = "0x2222222222222222222222222222222222222222";
const ROUTER: Address = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
const THIEF: Address = "0x6666666666666666666666666666666666666666";

const origin: Origin = {
  where: "proposed_tx",
  nodes: [],
  prefix: "",
  target: ROUTER,
  sender: "self",
  isSelf: () => false,
  isOwnContract: () => false,
  protocol: "router",
  function: "execute",
  venue: "router",
  knowledge: "bound",
};

const run = (
  drafts: readonly Draft[],
  value = 0n,
  from: Partial<Origin> = {},
): readonly Record<string, unknown>[] => {
  const here = { ...origin, ...from };
  const effects: readonly Effect[] = drafts.map((draft) => makeEffect(here, draft));
  return compose(effects, { origin: here, value, isCoinSent: true, program: true }).map(describeEffect);
};

const some = (asset: string, least: bigint, most = least): DraftFlow => ({
  asset: asset === "native" ? native : token(asset as Address),
  amount: { least, most },
  at: "amount",
});
const all = (asset: string, least = 0n): DraftFlow => ({
  ...some(asset, 0n),
  amount: { least, most: MAX_UINT, everything: true },
});
const swap = (from: DraftFlow, to: DraftFlow, payer: Party, receiver: Party): Draft => ({
  act: "swap",
  gives: [from],
  gets: [to],
  payer,
  receiver,
});
const sweep = (asset: string, least: bigint, receiver: Party): Draft => ({
  act: "forward",
  payer: "venue",
  gives: [all(asset, least)],
  receiver,
});
const unwrap = (least: bigint, receiver: Party): Draft => ({
  act: "unwrap",
  payer: "venue",
  gives: [all(WETH, least)],
  gets: [some("native", least, MAX_UINT)],
  receiver,
});
const wrap = (amount: DraftFlow): Draft => ({
  act: "wrap",
  payer: "venue",
  gives: [amount],
  gets: [{ ...amount, asset: token(WETH) }],
  receiver: "venue",
});
const share = (asset: string, bps: bigint, to: Party): Draft => ({
  act: "forward",
  payer: "venue",
  fees: [{ to, asset: asset === "native" ? native : token(asset as Address), share: { bps }, at: "bips" }],
});

describe("a router's program is told as one swap", () => {
  test("tokens in, coin out by unwrapping; the minimum is the unwrapping's", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 0n, MAX_UINT), "self", "venue"),
      unwrap(40n, "self"),
    ]);
    expect(effects).toMatchObject([
      {
        act: "swap",
        payer: "self",
        receiver: "self",
        gives: [{ asset: USDC, least: "100", most: "100" }],
        gets: [{ asset: "native", least: "40" }],
      },
    ]);
    expect(effects).toHaveLength(1);
  });

  test("the better of the pool's minimum and the sweep's counts", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 50n, MAX_UINT), "self", "venue"),
      sweep(WETH, 40n, "self"),
    ]);
    expect(effects).toMatchObject([{ gets: [{ asset: WETH, least: "50" }] }]);
  });

  test("a minimum on another token does not count", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 0n, MAX_UINT), "self", "venue"),
      sweep(FAKE, 1_000_000n, "self"),
      sweep(WETH, 0n, "self"),
    ]);
    expect(effects).toMatchObject([{ gets: [{ asset: WETH, least: "0" }] }]);
    expect(effects).toHaveLength(1);
  });

  test("coin in, wrapped on the way, tokens straight to the person", () => {
    const effects = run(
      [wrap(some("native", 100n)), swap(some(WETH, 100n), some(USDC, 40n, MAX_UINT), "venue", "self")],
      100n,
    );
    expect(effects).toMatchObject([
      {
        act: "swap",
        gives: [{ asset: "native", least: "100", most: "100" }],
        gets: [{ asset: USDC, least: "40" }],
        payer: "self",
      },
    ]);
    expect(effects).toHaveLength(1);
    expect(effects[0]?.["terms"]).toEqual({});
  });

  test("two hops through the venue are one swap from the first to the last", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 5n, MAX_UINT), "self", "venue"),
      swap(all(WETH), some(FAKE, 7n, MAX_UINT), "venue", "self"),
    ]);
    expect(effects).toMatchObject([{ gives: [{ asset: USDC }], gets: [{ asset: FAKE, least: "7" }] }]);
    expect(effects).toHaveLength(1);
  });

  test("an order split over two pools adds up", () => {
    const leg = swap(some(USDC, 50n), some(WETH, 20n, MAX_UINT), "self", "self");
    expect(run([leg, leg])).toMatchObject([
      { gives: [{ asset: USDC, least: "100", most: "100" }], gets: [{ asset: WETH, least: "40" }] },
    ]);
  });

  test("split after wrapping, all of the coin is counted once", () => {
    const leg = swap(some(WETH, 50n), some(USDC, 20n, MAX_UINT), "venue", "self");
    expect(run([wrap(some("native", 100n)), leg, leg], 100n)).toMatchObject([
      { gives: [{ asset: "native", least: "100", most: "100" }], gets: [{ asset: USDC, least: "40" }] },
    ]);
  });

  test("two different swaps stay two", () => {
    const effects = run([
      swap(some(USDC, 50n), some(WETH, 20n), "self", "self"),
      swap(some(FAKE, 50n), some(USDC, 20n), "self", "self"),
    ]);
    expect(effects).toHaveLength(2);
  });
});

describe("who gets it", () => {
  test("a sweep of the output to somebody else makes them the receiver", () => {
    const effects = run([swap(some(USDC, 100n), some(WETH, 5n), "self", "venue"), sweep(WETH, 5n, THIEF)]);
    expect(effects).toMatchObject([{ act: "swap", receiver: THIEF, gives: [{ asset: USDC }] }]);
  });

  test("a share for somebody else is a fee, and lowers what is guaranteed", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 1000n, MAX_UINT), "self", "venue"),
      share(WETH, 25n, THIEF),
      sweep(WETH, 0n, "self"),
    ]);
    expect(effects).toMatchObject([
      {
        receiver: "self",
        fees: [{ to: THIEF, asset: WETH, bps: "25" }],
        gets: [{ asset: WETH, least: "997" }],
      },
    ]);
  });

  test("a share of everything is no fee but the output", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 10n), "self", "venue"),
      share(WETH, 10_000n, THIEF),
    ]);
    expect(effects).toMatchObject([{ act: "swap", receiver: THIEF }]);
  });

  test("a share paid out of the same step's minimum leaves the rest of it", () => {
    const withFee = { ...unwrap(1000n, "self"), fees: share("native", 100n, THIEF).fees ?? [] };
    const effects = run([swap(some(USDC, 100n), some(WETH, 0n, MAX_UINT), "self", "venue"), withFee]);
    expect(effects).toMatchObject([{ gets: [{ asset: "native", least: "990" }], fees: [{ bps: "100" }] }]);
  });

  test("a fixed sum out of the coin sent along is a fee, and is given", () => {
    const pay: Draft = { act: "forward", payer: "venue", gives: [some("native", 10n)], receiver: THIEF };
    const effects = run(
      [pay, wrap(some("native", 90n)), swap(some(WETH, 90n), some(USDC, 40n), "venue", "self")],
      100n,
    );
    expect(effects).toMatchObject([
      {
        act: "swap",
        gives: [{ asset: "native", most: "100" }],
        fees: [{ to: THIEF, asset: "native", most: "10" }],
      },
    ]);
  });

  test("without a swap it is a plain payment", () => {
    const pay: Draft = { act: "forward", payer: "venue", gives: [some("native", 100n)], receiver: THIEF };
    expect(run([pay], 100n)).toMatchObject([
      { act: "transfer", payer: "self", receiver: THIEF, gives: [{ asset: "native", most: "100" }] },
    ]);
  });

  test("two parts of the output to two people are two effects", () => {
    const leg = (receiver: Party): Draft => swap(some(USDC, 50n), some(WETH, 20n), "self", receiver);
    expect(run([leg("self"), leg(THIEF)]).map(({ receiver }) => receiver)).toEqual(["self", THIEF]);
  });

  test("an output that no step hands on stays with the venue, and that is a fault", () => {
    const effects = run([swap(some(USDC, 100n), some(WETH, 5n), "self", "venue")]);
    expect(effects).toMatchObject([{ act: "swap", receiver: "venue", gives: [{ asset: USDC }] }]);
    expect(JSON.stringify(effects[0]?.["terms"])).toContain("keeps the output");
  });
});

describe("coin sent along", () => {
  const exactOut = {
    ...swap(some("native", 0n, 100n), some(USDC, 40n), "self", "self"),
    terms: { exactOut: true },
  };

  test("what an exact output leaves over comes back", () => {
    const effects = run([exactOut, sweep("native", 0n, "self")], 100n);
    expect(effects).toMatchObject([
      { gives: [{ asset: "native", least: "0", most: "100" }], terms: { exactOut: true } },
    ]);
    expect(effects[0]?.["terms"]).not.toHaveProperty("faults");
  });

  test("is lost where nothing sends it back", () => {
    expect(run([exactOut], 100n)).toMatchObject([
      {
        gives: [{ asset: "native", least: "100", most: "100" }],
        terms: { faults: [expect.stringContaining("leftover native")] },
      },
    ]);
  });

  test("is the single function's own business where it may use all of it", () => {
    const effects = compose([makeEffect(origin, exactOut)], {
      origin,
      value: 100n,
      isCoinSent: true,
      program: false,
    });
    expect(effects[0]?.terms.faults).toBeUndefined();
  });

  test("is lost where only a contract nobody knows promises to send it back", () => {
    const effects = run([exactOut, sweep("native", 0n, "self")], 100n, {
      knowledge: "selector",
      venue: null,
    });
    expect(effects).toMatchObject([
      { gives: [{ asset: "native", most: "100" }], terms: { faults: [expect.any(String)] } },
    ]);
  });

  test("is a payment to somebody else where they get the rest", () => {
    const effects = run([exactOut, sweep("native", 0n, THIEF)], 100n);
    expect(effects).toMatchObject([{ act: "swap" }, { act: "transfer", receiver: THIEF, payer: "self" }]);
  });

  test("more than was wrapped is lost", () => {
    const effects = run([wrap(some("native", 90n)), swap(all(WETH), some(USDC, 40n), "venue", "self")], 100n);
    expect(effects).toMatchObject([
      { gives: [{ asset: "native", least: "100", most: "100" }], terms: { faults: [expect.any(String)] } },
    ]);
  });
});

describe("the rest of a program", () => {
  test("wrapping alone, swept to the person, is wrapping", () => {
    expect(run([wrap(some("native", 100n)), sweep(WETH, 100n, "self")], 100n)).toMatchObject([
      {
        act: "wrap",
        gives: [{ asset: "native", most: "100" }],
        gets: [{ asset: WETH, least: "100" }],
        receiver: "self",
      },
    ]);
  });

  test("a permission stays an effect of its own", () => {
    const permit: Draft = {
      act: "approve",
      authority: { spender: ROUTER, asset: token(USDC), amount: everything, signed: true, at: "spender" },
    };
    const effects = run([permit, swap(some(USDC, 100n), some(WETH, 5n), "self", "self")]);
    expect(effects.map(({ act }) => act)).toEqual(["approve", "swap"]);
  });

  test("money pulled in and then supplied for the person is a supply", () => {
    const pull: Draft = { act: "transfer", gives: [some(USDC, 100n)], receiver: "venue" };
    const supply: Draft = { act: "supply", payer: "venue", gives: [some(USDC, 100n)], receiver: "self" };
    expect(run([pull, supply])).toMatchObject([
      { act: "supply", payer: "self", receiver: "self", gives: [{ asset: USDC, most: "100" }] },
    ]);
  });

  test("spending what the venue holds of its own is said", () => {
    const effects = run([swap({ ...some(USDC, 0n), amount: exactly(5n) }, some(WETH, 1n), "venue", "self")]);
    expect(effects).toMatchObject([
      { payer: "venue", terms: { faults: [expect.stringContaining("does not hold")] } },
    ]);
  });

  test("a time limit on the whole holds for every part", () => {
    const effects = run([
      { act: "harmless", deadline: 99n },
      swap(some(USDC, 100n), some(WETH, 5n), "self", "self"),
    ]);
    expect(effects).toMatchObject([{ act: "swap", deadline: "99" }]);
  });
});
