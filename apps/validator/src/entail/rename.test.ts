/** A name of a venue and its token, in its other meaning. */
import { describe, expect, test } from "vitest";
import type { Effect } from "../effects.ts";
import type { Span, Step } from "../intent.ts";
import { rename } from "./rename.ts";
import { aStep, aWorld, anEffect, portion } from "../../test/entail.ts";

const again = (step: Step | readonly Step[], done: Partial<Effect>, words = "Put 1 ETH into USDC") => {
  const world = aWorld(Array.isArray(step) ? step : [step as Step], []);
  return rename(anEffect({ venue: "uniswap_v3", ...done }), {
    ...world,
    proposal: { ...world.proposal, words },
  });
};

describe("a venue in capitals", () => {
  const span: Span = [15, 19];
  const at = (mode: "on" | "avoid" = "on"): Step["venues"][number] => ({ venue: "usdc", mode, span });
  const put = (more: Partial<Step> = {}): Step =>
    aStep({ acts: ["supply", "swap"], gives: [portion("1", "ETH")], venues: [at()], ...more });
  test("may be the token that a swap buys", () => {
    expect(again(put(), { act: "swap" })?.steps).toEqual([
      {
        ...put(),
        acts: ["swap"],
        venues: [],
        gets: [{ asset: { kind: "symbol", symbol: "USDC", span }, quantity: null }],
      },
    ]);
  });
  test.each<[string, Step | readonly Step[], Partial<Effect>, string]>([
    ["a venue to avoid", put({ venues: [at("avoid")] }), { act: "swap" }, "Put 1 ETH into USDC"],
    ["one of two venues", put({ venues: [at(), at()] }), { act: "swap" }, "Put 1 ETH into USDC"],
    ["no venue", put({ venues: [] }), { act: "swap" }, "Put 1 ETH into USDC"],
    [
      "a venue where something is bought",
      put({ gets: [portion(null, "WETH")] }),
      { act: "swap" },
      "Put 1 ETH into USDC",
    ],
    ["a venue for a verb that never buys", put({ acts: ["supply"] }), { act: "swap" }, "Put 1 ETH into USDC"],
    ["a venue in small letters", put(), { act: "swap" }, "Put 1 ETH into Usdc"],
    ["a venue that is no symbol", put(), { act: "swap" }, "Put 1 ETH into AAVE"],
    ["a venue of an unknown contract", put(), { act: "swap", venue: null }, "Put 1 ETH into USDC"],
    ["a venue of another act", put(), { act: "supply" }, "Put 1 ETH into USDC"],
    ["a venue of one of two steps", [put(), put()], { act: "swap" }, "Put 1 ETH into USDC"],
    ["a request without steps", [], { act: "swap" }, "Put 1 ETH into USDC"],
  ])("is not a token: %s", (...[, step, done, words]) => {
    expect(again(step, done, words)).toBeNull();
  });
});

describe("a token without an amount", () => {
  const buy = (more: Partial<Step> = {}): Step =>
    aStep({
      acts: ["swap", "supply"],
      verb: { word: "put", span: [0, 3] },
      gives: [portion("1", "ETH")],
      gets: [portion(null, "UNISWAP")],
      ...more,
    });
  const supply: Partial<Effect> = { act: "supply" };
  const lends = { acts: ["supply", "stake", "add_liquidity"], gets: [] };
  test("may be the venue that something is lent to", () => {
    expect(again(buy(), supply)?.steps).toEqual([
      { ...buy(), ...lends, venues: [{ venue: "uniswap", mode: "on", span: [0, 1] }] },
    ]);
  });
  test.each<[string, Partial<Step>]>([
    ["of a verb that lends", { acts: ["supply"] }],
    ["of a verb that stakes", { acts: ["swap", "stake"] }],
    ["of a verb that adds liquidity", { acts: ["add_liquidity"] }],
    ["of no verb", { acts: ["swap"], verb: { word: "", span: [0, 0] } }],
  ])("may be the venue %s", (_, more) => {
    expect(again(buy(more), supply)?.steps[0]).toMatchObject(lends);
  });
  test.each<[string, Partial<Step>, Partial<Effect>]>([
    ["with an amount", { gets: [portion("1", "UNISWAP")] }, supply],
    ["without a name", { gets: [portion(null, null)] }, supply],
    ["that is not there", { gets: [] }, supply],
    [
      "by its address",
      {
        gets: [{ asset: { kind: "address", address: "0x11", span: [0, 1] }, quantity: null }],
      },
      supply,
    ],
    ["of two", { gets: [portion(null, "UNISWAP"), portion(null, "USDC")] }, supply],
    ["where a venue is named", { venues: [{ venue: "uniswap", mode: "on", span: [0, 1] }] }, supply],
    [
      "of two where a venue is named",
      {
        gets: [portion(null, "UNISWAP"), portion(null, "USDC")],
        venues: [{ venue: "uniswap", mode: "on", span: [0, 1] }],
      },
      supply,
    ],
    ["of a verb that only trades", { acts: ["swap"] }, supply],
    ["of another venue", {}, { ...supply, venue: "uniswap_v2" }],
    ["of an unknown contract", {}, { ...supply, venue: null }],
    ["of a swap", {}, { act: "swap" }],
  ])("is not the venue: %s", (_, more, done) => {
    expect(again(buy(more), done)).toBeNull();
  });
  test("is not the venue of one of two steps", () => {
    expect(again([buy(), buy()], supply)).toBeNull();
  });
});
