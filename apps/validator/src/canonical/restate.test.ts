import { describe, expect, test } from "vitest";
import type { PartyRef, Quantity, Step } from "../intent.ts";
import { aStep, aWorld, bob, dec, mallory, portion, usdc } from "../../test/entail.ts";
import { restate } from "./restate.ts";

const span = [0, 1] as const;
const ground = {
  registry: aWorld([], []).registry,
  protocols: { all: new Map([["aave_v3", { title: "Aave v3", names: ["aave v3"] }]]) },
};
const said = (step: Partial<Step>): string => restate({ steps: [aStep(step)] }, ground);
const toBob: PartyRef = { kind: "address", address: bob, span };
const chain = { value: 1, span };

describe("a request is restated in the patterns of descriptions", () => {
  test.each<[string, Partial<Step>, string]>([
    [
      "a transfer",
      { gives: [portion("5", "USDC")], to: [toBob], chain },
      `Send 5 USDC to ${bob} on Ethereum.`,
    ],
    [
      "a supply at a venue, for another",
      {
        acts: ["supply"],
        gives: [portion("5", "USDC")],
        onBehalfOf: toBob,
        venues: [{ venue: "aave_v3", mode: "on", span }],
      },
      `Supply 5 USDC on Aave v3 on behalf of ${bob}.`,
    ],
    [
      "an approval that ends",
      {
        acts: ["approve"],
        gives: [portion("5", "USDC")],
        spender: toBob,
        deadline: { kind: "until", unix: 1_767_225_600n, span },
      },
      `Approve ${bob} to spend 5 USDC until 2026-01-01 00:00:00 UTC.`,
    ],
    [
      "a bridge",
      { acts: ["bridge"], gives: [portion("5", "USDC")], chain, toChain: { value: 8453, span }, to: [toBob] },
      `Bridge 5 USDC from Ethereum to ${bob} on Base.`,
    ],
    [
      "a new owner",
      { acts: ["admin"], admin: { kind: "add_owner", party: toBob, threshold: { value: 2n, span }, span } },
      `Add owner ${bob} with threshold 2.`,
    ],
    [
      "a swap within some time, with a fee",
      {
        acts: ["swap"],
        gives: [portion("5", "USDC")],
        gets: [portion("1", "WETH")],
        fee: { bps: 25n, to: null, span },
        deadline: { kind: "within", seconds: 60n, span },
      },
      "Swap 5 USDC for 1 WETH paying 0.25% in fees before 60 seconds from now.",
    ],
  ])("%s", (_, step, sentence) => {
    expect(said(step)).toBe(sentence);
  });

  test("partial fills are restated if the step allows or excludes them", () => {
    const order = { acts: ["swap"] as const, gives: [portion("5", "USDC")], gets: [portion("1", "WETH")] };
    expect(said({ ...order, partialFill: { value: true, span } })).toBe(
      "Swap 5 USDC for 1 WETH, with partial fills.",
    );
    expect(said({ ...order, partialFill: { value: false, span } })).toBe(
      "Swap 5 USDC for 1 WETH, without partial fills.",
    );
  });

  test("a part that is missing is shown as not stated", () => {
    expect(said({ gives: [portion("5", "USDC")] })).toBe("Send 5 USDC to (not stated).");
  });

  test("a part without a place in the pattern follows in brackets", () => {
    expect(said({ gives: [portion("5", "USDC")], to: [toBob], gets: [portion("1", "WETH")] })).toBe(
      `Send 5 USDC to ${bob} (1 WETH).`,
    );
  });

  test("parts that only the text holds are not shown as missing", () => {
    expect(said({ acts: ["vote"], chain })).toBe("Vote on a proposal on Ethereum.");
    expect(said({ acts: ["cancel"], chain })).toBe("Cancel an order on Ethereum.");
  });

  test("an act of control without a pattern is named", () => {
    const admin = { kind: "set_admin", party: toBob, span };
    expect(said({ acts: ["admin"], admin })).toBe(`Set admin: ${bob}.`);
    expect(said({ acts: ["admin"], admin: { ...admin, party: null } })).toBe("Set admin: nothing stated.");
  });

  test("several steps are several sentences", () => {
    const step = aStep({ gives: [portion("5", "USDC")], to: [toBob] });
    expect(restate({ steps: [step, step] }, ground)).toBe(`Send 5 USDC to ${bob}. Send 5 USDC to ${bob}.`);
    expect(restate({ steps: [] }, ground)).toBe("");
  });
});

describe("parties", () => {
  test.each<[PartyRef, string]>([
    [{ kind: "address", address: bob, called: "Bob", span }, `Bob (${bob})`],
    [{ kind: "name", name: "bob.eth", normalised: true, span }, "bob.eth"],
    [{ kind: "contact", label: "my landlord", span }, "my landlord"],
    [{ kind: "venue", venue: "aave", span }, "aave"],
    [{ kind: "self", span }, "my wallet"],
  ])("%#", (party, text) => {
    expect(said({ gives: [portion("5", "USDC")], to: [party] })).toBe(`Send 5 USDC to ${text}.`);
  });
});

describe("amounts", () => {
  const n = dec("1.5");
  test.each<[Quantity, string]>([
    [{ kind: "exact", n, others: [], span }, "1.5 USDC"],
    [{ kind: "about", n, span }, "about 1.5 USDC"],
    [{ kind: "most", n, span }, "at most 1.5 USDC"],
    [{ kind: "least", n, span }, "at least 1.5 USDC"],
    [{ kind: "range", least: n, most: dec("2"), span }, "between 1.5 and 2 USDC"],
    [{ kind: "share", bps: 5_000n, of: "balance", span }, "50% of my USDC"],
    [{ kind: "all", except: null, span }, "all USDC"],
    [{ kind: "all", except: n, span }, "all USDC except 1.5"],
    [{ kind: "fiat", n, currency: "USD", bound: "exact", span }, "1.5 USD of USDC"],
    [{ kind: "raw", n: 7n, span }, "7 base units of USDC"],
    [{ kind: "unlimited", span }, "an unlimited amount of USDC"],
    [{ kind: "vague", said: "some", span }, "“some” USDC"],
  ])("%#", (quantity, text) => {
    const gives = [{ ...portion(null, "USDC"), quantity }];
    expect(said({ gives, to: [toBob] })).toBe(`Send ${text} to ${bob}.`);
  });

  test.each<[NonNullable<Step["gives"][number]["asset"]>, string]>([
    [{ kind: "address", address: usdc, span }, `5 of token ${usdc}`],
    [{ kind: "class", name: "stablecoin", span }, "5 stablecoin"],
    [{ kind: "nft", collection: mallory, ids: [7n], span }, `5 NFT #7 of collection ${mallory}`],
    [{ kind: "nft", collection: null, ids: [], span }, "5 NFT"],
  ])("of an asset, %#", (asset, text) => {
    const gives = [{ ...portion("5", null), asset }];
    expect(said({ gives, to: [toBob] })).toBe(`Send ${text} to ${bob}.`);
  });

  test("of an asset that is not named", () => {
    expect(said({ gives: [portion("5", null)], to: [toBob] })).toBe(`Send 5 an unnamed asset to ${bob}.`);
  });
});
