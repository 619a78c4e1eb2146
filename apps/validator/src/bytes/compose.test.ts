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

describe("a router's program becomes one swap", () => {
  test("tokens in, native out by an unwrap: the minimum is that of the unwrap", () => {
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

  test("the larger of the pool's minimum and the sweep's counts", () => {
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

  test("native in, wrapped on the way, tokens directly to the owner", () => {
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

  test("two hops through the venue are one swap from the first asset to the last", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 5n, MAX_UINT), "self", "venue"),
      swap(all(WETH), some(FAKE, 7n, MAX_UINT), "venue", "self"),
    ]);
    expect(effects).toMatchObject([{ gives: [{ asset: USDC }], gets: [{ asset: FAKE, least: "7" }] }]);
    expect(effects).toHaveLength(1);
  });

  test("an order split over two pools is added up", () => {
    const leg = swap(some(USDC, 50n), some(WETH, 20n, MAX_UINT), "self", "self");
    expect(run([leg, leg])).toMatchObject([
      { gives: [{ asset: USDC, least: "100", most: "100" }], gets: [{ asset: WETH, least: "40" }] },
    ]);
  });

  test("when split after wrapping, the native value is counted once", () => {
    const leg = swap(some(WETH, 50n), some(USDC, 20n, MAX_UINT), "venue", "self");
    expect(run([wrap(some("native", 100n)), leg, leg], 100n)).toMatchObject([
      { gives: [{ asset: "native", least: "100", most: "100" }], gets: [{ asset: USDC, least: "40" }] },
    ]);
  });

  test("two different swaps stay two effects", () => {
    const effects = run([
      swap(some(USDC, 50n), some(WETH, 20n), "self", "self"),
      swap(some(FAKE, 50n), some(USDC, 20n), "self", "self"),
    ]);
    expect(effects).toHaveLength(2);
  });
});

describe("the receiver", () => {
  test("of a swept output is the party it is swept to", () => {
    const effects = run([swap(some(USDC, 100n), some(WETH, 5n), "self", "venue"), sweep(WETH, 5n, THIEF)]);
    expect(effects).toMatchObject([{ act: "swap", receiver: THIEF, gives: [{ asset: USDC }] }]);
  });

  test("of a share takes a fee, which lowers what is guaranteed", () => {
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

  test("of a share of everything gets the output, not a fee", () => {
    const effects = run([
      swap(some(USDC, 100n), some(WETH, 10n), "self", "venue"),
      share(WETH, 10_000n, THIEF),
    ]);
    expect(effects).toMatchObject([{ act: "swap", receiver: THIEF }]);
  });

  test("of a share out of the same step's minimum leaves the rest of it", () => {
    const withFee = { ...unwrap(1000n, "self"), fees: share("native", 100n, THIEF).fees ?? [] };
    const effects = run([swap(some(USDC, 100n), some(WETH, 0n, MAX_UINT), "self", "venue"), withFee]);
    expect(effects).toMatchObject([{ gets: [{ asset: "native", least: "990" }], fees: [{ bps: "100" }] }]);
  });

  test("of a fixed sum out of the native value takes a fee, and the sum is given", () => {
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

  test("of a fixed sum without a swap gets a plain payment", () => {
    const pay: Draft = { act: "forward", payer: "venue", gives: [some("native", 100n)], receiver: THIEF };
    expect(run([pay], 100n)).toMatchObject([
      { act: "transfer", payer: "self", receiver: THIEF, gives: [{ asset: "native", most: "100" }] },
    ]);
  });

  test("of one part and the receiver of the other make two effects", () => {
    const leg = (receiver: Party): Draft => swap(some(USDC, 50n), some(WETH, 20n), "self", receiver);
    expect(run([leg("self"), leg(THIEF)]).map(({ receiver }) => receiver)).toEqual(["self", THIEF]);
  });

  test("is the venue, with a fault, if no step passes the output on", () => {
    const effects = run([swap(some(USDC, 100n), some(WETH, 5n), "self", "venue")]);
    expect(effects).toMatchObject([{ act: "swap", receiver: "venue", gives: [{ asset: USDC }] }]);
    expect(JSON.stringify(effects[0]?.["terms"])).toContain("keeps the output");
  });
});

describe("native value", () => {
  const exactOut = {
    ...swap(some("native", 0n, 100n), some(USDC, 40n), "self", "self"),
    terms: { exactOut: true },
  };

  test("left over by an exact output is returned", () => {
    const effects = run([exactOut, sweep("native", 0n, "self")], 100n);
    expect(effects).toMatchObject([
      { gives: [{ asset: "native", least: "0", most: "100" }], terms: { exactOut: true } },
    ]);
    expect(effects[0]?.["terms"]).not.toHaveProperty("faults");
  });

  test("is lost if no step returns it", () => {
    expect(run([exactOut], 100n)).toMatchObject([
      {
        gives: [{ asset: "native", least: "100", most: "100" }],
        terms: { faults: [expect.stringContaining("more native token is sent")] },
      },
    ]);
  });

  test("is left to the single function if that may use all of it", () => {
    const effects = compose([makeEffect(origin, exactOut)], {
      origin,
      value: 100n,
      isCoinSent: true,
      program: false,
    });
    expect(effects[0]?.terms.faults).toBeUndefined();
  });

  test("is lost if only an unknown contract promises to return it", () => {
    const effects = run([exactOut, sweep("native", 0n, "self")], 100n, {
      knowledge: "selector",
      venue: null,
    });
    expect(effects).toMatchObject([
      { gives: [{ asset: "native", most: "100" }], terms: { faults: [expect.any(String)] } },
    ]);
  });

  test("is a payment to another party if that party gets the rest", () => {
    const effects = run([exactOut, sweep("native", 0n, THIEF)], 100n);
    expect(effects).toMatchObject([{ act: "swap" }, { act: "transfer", receiver: THIEF, payer: "self" }]);
  });

  test("beyond what was wrapped is lost", () => {
    const effects = run([wrap(some("native", 90n)), swap(all(WETH), some(USDC, 40n), "venue", "self")], 100n);
    expect(effects).toMatchObject([
      { gives: [{ asset: "native", least: "100", most: "100" }], terms: { faults: [expect.any(String)] } },
    ]);
  });
});

describe("the rest of a program", () => {
  test("a wrap alone, swept to the owner, is a wrap", () => {
    expect(run([wrap(some("native", 100n)), sweep(WETH, 100n, "self")], 100n)).toMatchObject([
      {
        act: "wrap",
        gives: [{ asset: "native", most: "100" }],
        gets: [{ asset: WETH, least: "100" }],
        receiver: "self",
      },
    ]);
  });

  test("an approval stays an effect of its own", () => {
    const permit: Draft = {
      act: "approve",
      authority: { spender: ROUTER, asset: token(USDC), amount: everything, signed: true, at: "spender" },
    };
    const effects = run([permit, swap(some(USDC, 100n), some(WETH, 5n), "self", "self")]);
    expect(effects.map(({ act }) => act)).toEqual(["approve", "swap"]);
  });

  test("tokens pulled in and then supplied for the owner are a supply", () => {
    const pull: Draft = { act: "transfer", gives: [some(USDC, 100n)], receiver: "venue" };
    const supply: Draft = { act: "supply", payer: "venue", gives: [some(USDC, 100n)], receiver: "self" };
    expect(run([pull, supply])).toMatchObject([
      { act: "supply", payer: "self", receiver: "self", gives: [{ asset: USDC, most: "100" }] },
    ]);
  });

  test("spending what the venue holds of its own is reported", () => {
    const effects = run([swap({ ...some(USDC, 0n), amount: exactly(5n) }, some(WETH, 1n), "venue", "self")]);
    expect(effects).toMatchObject([
      { payer: "venue", terms: { faults: [expect.stringContaining("does not hold")] } },
    ]);
  });

  test("a deadline of the whole program applies to every part", () => {
    const effects = run([
      { act: "harmless", deadline: 99n },
      swap(some(USDC, 100n), some(WETH, 5n), "self", "self"),
    ]);
    expect(effects).toMatchObject([{ act: "swap", deadline: "99" }]);
  });
});
