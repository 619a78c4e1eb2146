import { describe, expect, test } from "vitest";
import { aSimulation, calm, me, stranger, usdc, usdcAsset } from "../../test/nodes/facts.ts";
import { native, nft, token } from "../effects.ts";
import type { Simulation, State } from "../simulation.ts";
import { describeBalances } from "./describe-balances.ts";
import { makeShow } from "./show.ts";

const show = makeShow(calm.registry, 1, undefined);
const state: State = {
  ...{ status: "proven", hash: "0x5e" },
  block: { number: 24_000_000n, hash: "0xb1", timestamp: 1_790_000_000n },
};
const described = (given: Partial<Simulation>) =>
  describeBalances({ state, simulation: aSimulation(given), account: me }, show);
const known = { status: "known", account: me, block: "24000000", fee_included: false, complete: true };

describe("balances before and after", () => {
  test("are base units, with the block, and without the fee", () => {
    const balances = [
      { asset: native, before: 10n ** 18n, after: 9n * 10n ** 17n },
      { asset: usdcAsset, before: 2n ** 255n, after: 2n ** 256n - 1n },
    ];
    expect(described({ balances })).toEqual({
      ...known,
      assets: [
        {
          ...{ kind: "native", symbol: "ETH", decimals: 18, measured: true },
          ...{ before: "1000000000000000000", after: "900000000000000000" },
        },
        {
          ...{ kind: "token", symbol: "USDC", address: usdc, decimals: 6, measured: true },
          ...{ before: (2n ** 255n).toString(), after: (2n ** 256n - 1n).toString() },
        },
      ],
    });
  });

  test.each<[bigint | null, bigint | null]>([
    [null, null],
    [5n, null],
    [null, 5n],
  ])("%s and %s are not measured", (before, after) => {
    const asset = { before: before?.toString() ?? null, after: after?.toString() ?? null, measured: false };
    expect(described({ balances: [{ asset: usdcAsset, before, after }] })).toMatchObject({ assets: [asset] });
  });

  test("of a token that is in no table have no symbol and no decimals", () => {
    expect(described({ balances: [{ asset: token(stranger), before: 5n, after: 4n }] })).toMatchObject({
      assets: [{ symbol: null, address: stranger, decimals: null, before: "5", after: "4" }],
    });
  });

  test("of an item are listed without the count of its collection", () => {
    const balances = [
      { asset: token(stranger), before: 3n, after: 2n },
      { asset: nft(stranger, 7n), before: 1n, after: 0n },
    ];
    expect(described({ balances })).toMatchObject({
      assets: [{ kind: "nft", address: stranger, id: "7", decimals: 0, before: "1", after: "0" }],
    });
    expect(described({ balances })["assets"]).toHaveLength(1);
  });

  test("may be incomplete if events could not be read", () => {
    expect(described({ unreadable: 1 })).toMatchObject({ status: "known", complete: false });
  });
});

describe("balances are not known", () => {
  const refused: State = { status: "refused", hash: null, why: "The account is a contract." };
  test.each<[string, Parameters<typeof describeBalances>[0], string]>([
    ["without a state", { account: me }, "was not read"],
    ["if the state is refused", { state: refused, account: me }, "The account is a contract."],
    ["if nothing was executed", { state, account: me }, "cannot pay"],
    [
      "if the transaction fails",
      { state, simulation: aSimulation({ reverted: "no" }), account: me },
      "fails",
    ],
    [
      "if the result depends on the block",
      { state, simulation: aSimulation({ diverged: "with another time" }), account: me },
      "another block",
    ],
  ])("%s", (_, told, because) => {
    expect(describeBalances(told, show)).toEqual({
      status: "unknown",
      why: expect.stringContaining(because) as string,
    });
  });
});
