import { describe, expect, test } from "vitest";
import { readBounds } from "@countersign/wire";
import { aSimulation, bob, calm, me, stranger, usdc, usdcAsset } from "../../test/nodes/facts.ts";
import { startEngine } from "../../test/real-engine.ts";
import { nft, native, token } from "../effects.ts";
import type { Intent } from "../intent.ts";
import type { NetEffect, Reading } from "../facts.ts";
import type { Simulation, State } from "../simulation.ts";
import { readWords } from "../words/read-words.ts";
import { describeBounds } from "./describe-bounds.ts";
import { makeShow } from "./show.ts";

const { engine } = await startEngine();
const show = makeShow(calm.registry, 1, undefined);
const hash = `0x${"b1".repeat(32)}` as const;
const state: State = {
  ...{ status: "proven", hash: "0x5e" },
  block: { number: 24_000_000n, hash, timestamp: 1_790_000_000n },
};
const intentOf = (words: string): Intent => readWords(words, engine.lexicon, []);
const netOf = (net: Partial<NetEffect>): Reading =>
  ({ net: { leaves: [], arrives: [], authority: [], others: [], admin: [], ...net } }) as unknown as Reading;

type Changes = readonly (readonly [string, Simulation["changes"][number]["asset"], bigint])[];
const simulated = (changes: Changes, given: Partial<Simulation> = {}): Simulation =>
  aSimulation({
    changes: changes.map(([holder, asset, amount]) => ({
      ...{ holder: holder as typeof me, asset, amount, isMeasured: true },
    })),
    ...given,
  });
const described = (simulation: Simulation, words = "", net: Partial<NetEffect> = {}) =>
  describeBounds({ state, simulation, account: me, intent: intentOf(words), reading: netOf(net) }, show);
const rows = (told: Record<string, unknown>): readonly unknown[] =>
  (told["changes"] as readonly Record<string, unknown>[]).map(({ holder, least, basis }) => [
    holder,
    least,
    basis,
  ]);

const swap = simulated([
  [me, usdcAsset, -3_000n],
  [me, native, 1_000n],
  [stranger, usdcAsset, 3_000n],
]);

describe("bounds", () => {
  test("of a payment are exact, for the account and for the recipient, and readable by those who send", () => {
    const told = described(
      simulated([
        [me, usdcAsset, -5n],
        [bob, usdcAsset, 5n],
      ]),
      `Send 5 USDC to ${bob}`,
    );
    expect(told).toMatchObject({ status: "known", account: me, block: { number: "24000000", hash } });
    expect(rows(told)).toEqual([
      [me, "-5", "exact"],
      [bob, "5", "exact"],
    ]);
    expect(readBounds({ context: { bounds: told } })).toMatchObject({
      changes: [
        { holder: me, token: usdc, approved: -5n },
        { holder: bob, token: usdc, least: 5n },
      ],
    });
  });

  test("of a swap without a stated minimum leave 1 % of what arrives, and do not name the pool", () => {
    expect(rows(described(swap, "Swap 3000 USDC for ETH"))).toEqual([
      [me, "-3000", "exact"],
      [me, "990", "tolerance"],
    ]);
  });

  test("follow the slippage that the request states", () => {
    expect(rows(described(swap, "Swap 3000 USDC for ETH with 0.5% slippage"))[1]).toEqual([
      me,
      "995",
      "slippage",
    ]);
  });

  test("follow the minimum that the request states, as the calldata has it", () => {
    const net = { arrives: [{ asset: native, least: 900n }] };
    const words = "Swap 3000 USDC for at least 0.9 ETH";
    expect(rows(described(swap, words, net))[1]).toEqual([me, "900", "stated"]);
    // The calldata has no minimum: then the request's is not enforced, and the tolerance counts.
    expect(rows(described(swap, words))[1]).toEqual([me, "990", "tolerance"]);
    // The calldata's minimum alone is not the owner's.
    expect(rows(described(swap, "Swap 3000 USDC for ETH", net))[1]).toEqual([me, "990", "tolerance"]);
  });

  test("follow the maximum that the request states, as the calldata has it", () => {
    const net = { leaves: [{ asset: usdcAsset, most: 3_100n, everything: false }] };
    expect(rows(described(swap, "Buy 1 ETH with at most 3100 USDC", net))[0]).toEqual([
      me,
      "-3100",
      "stated",
    ]);
    expect(rows(described(swap, "Buy 1 ETH with 3100 USDC", net))[0]).toEqual([me, "-3000", "exact"]);
  });

  test("round in favour of the account", () => {
    const odd = simulated([[me, native, 101n]]);
    expect(rows(described(odd))).toEqual([[me, "100", "tolerance"]]);
  });

  test("name allowances", () => {
    const approvals = [{ spender: bob, asset: usdcAsset, before: 0n, after: 9n }];
    expect(described(simulated([], { approvals }))).toMatchObject({
      allowances: [{ spender: bob, token: usdc, most: "9" }],
    });
  });
});

describe("bounds are unknown", () => {
  test.each<[string, Simulation | undefined, string]>([
    ["if nothing was executed", undefined, "cannot pay"],
    ["if it fails", aSimulation({ reverted: "no" }), "fails"],
    ["if it behaves differently elsewhere", aSimulation({ diverged: "x" }), "another block"],
    ["if a Safe acts", aSimulation({ account: stranger }), "A Safe acts"],
    ["if NFTs move", simulated([[me, nft(stranger, 7n), -1n]]), "NFTs"],
    ["if events cannot be read", aSimulation({ unreadable: 1 }), "could not be measured"],
    [
      "if a balance is not measured",
      aSimulation({ changes: [{ holder: me, asset: token(stranger), amount: 1n, isMeasured: false }] }),
      "could not be measured",
    ],
  ])("%s", (_, simulation, why) => {
    const told = describeBounds({ state, simulation, account: me }, show);
    expect(told).toEqual({ status: "unknown", why: expect.stringContaining(why) as string });
    expect(readBounds({ context: { bounds: told } })).toMatchObject({ isMalformed: false });
  });

  test("without an account", () => {
    expect(describeBounds({ state, simulation: aSimulation({}), account: null }, show)).toMatchObject({
      status: "unknown",
    });
  });
});
