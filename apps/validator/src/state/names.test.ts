/** Requests that name the recipient by ENS name, with a state that resolves it. */
import { beforeAll, describe, expect, test } from "vitest";
import type { TestName } from "../../../../packages/evm/test/names.ts";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import { aState, blockTime, friend, from, million, transferData, usdc } from "../../test/state.ts";
import type { Address } from "../proposal.ts";
import type { Verdict } from "../validate/validate.ts";

let engine: RealEngine;
beforeAll(async () => {
  engine = await startEngine();
  // The first state compiles the contracts, which takes longer than a test may.
  await aState();
}, 120_000);

const other: Address = `0x${"77".repeat(20)}`;
const check = "intent_alignment.ens_contact_match";

type Given = {
  readonly words?: string;
  readonly name?: Partial<TestName>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Seconds between the block and the request. */
  readonly age?: number;
  readonly withState?: boolean;
};

async function ask({
  words = "Send 5 USDC to bob.eth",
  name,
  metadata,
  age = 20,
  withState = true,
}: Given = {}) {
  const call = { data: transferData(5n * million) };
  const state = await aState({ call, name: { name: "bob.eth", address: friend, ...name } });
  const request = {
    human_intent: words,
    proposed_tx: { to: usdc, ...call },
    metadata: { from, chain_id: 1, now: blockTime + age, ...(withState ? { state } : {}), ...metadata },
  };
  const verdict = await engine.ask(JSON.stringify(request));
  if (verdict === null) throw new Error("the request was rejected");
  return verdict;
}
const outcome = ({ decision, assessment, results }: Verdict) => [
  decision,
  assessment.kind,
  results[check]?.status,
];
const passes = ["PASS", "entailed", "PASS"];
const differs = ["REJECT", "contradicted", "FAIL"];

describe("a name that the state resolves", () => {
  test.each([
    "Send 5 USDC to bob.eth",
    "Send 5 USDC to Bob.ETH",
    "pay bob.eth 5 USDC",
    "Transfer 5 USDC to bob.eth.",
  ])("%s: passes, and the report has the address", async (words) => {
    const verdict = await ask({ words });
    expect(outcome(verdict)).toEqual(passes);
    expect(JSON.stringify(verdict.results)).toContain(`bob.eth (${friend})`);
    expect(verdict.context["names"]).toEqual([
      { name: "bob.eth", address: friend, resolver: "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63" },
    ]);
  });

  test("below another name passes", async () => {
    const words = "Send 5 USDC to pay.bob.eth";
    expect(outcome(await ask({ words, name: { name: "pay.bob.eth" } }))).toEqual(passes);
  });

  test("to another address than the transaction pays is rejected, with both", async () => {
    const verdict = await ask({ name: { address: other } });
    expect(outcome(verdict)).toEqual(differs);
    expect(JSON.stringify(verdict.results[check])).toContain(`bob.eth (${other})`);
    expect(JSON.stringify(verdict.results[check])).toContain(friend);
  });

  test("next to an address that it does not resolve to is rejected", async () => {
    const words = `Send 5 USDC to bob.eth (${friend})`;
    expect(await ask({ words, name: { address: other } })).toMatchObject({
      ...{ decision: "REJECT", assessment: { kind: "contradicted" } },
    });
  });
});

describe("a name that the state does not resolve cannot be verified", () => {
  test.each<[string, Partial<TestName>, string]>([
    ["expired", { expires: BigInt(blockTime) }, "expired"],
    ["without an address", { address: null }, "has no address"],
    ["without a resolver, as behind a wildcard", { resolver: null }, "has no resolver of its own"],
    ["with a resolver of its owner", { resolver: other }, "not a public resolver"],
    [
      "that answers off the chain",
      { resolver: other, contract: "OffchainResolver" },
      "not a public resolver",
    ],
  ])("%s", async (_, name, why) => {
    const verdict = await ask({ name });
    expect(verdict).toMatchObject({ decision: "REJECT", assessment: { kind: "not_checked" } });
    expect(JSON.stringify(verdict.results[check])).toContain(why);
    expect(JSON.stringify(verdict.context["names"])).toContain(why);
  });

  test("even if the caller sends an address for it", async () => {
    const verdict = await ask({ name: { address: null }, metadata: { names: { "bob.eth": friend } } });
    expect(verdict).toMatchObject({ decision: "REJECT", assessment: { kind: "not_checked" } });
  });

  test("without a state", async () => {
    expect(await ask({ withState: false })).toMatchObject({ assessment: { kind: "not_checked" } });
  });

  test("in a state that does not look at it", async () => {
    expect(await ask({ name: { name: "alice.eth" } })).toMatchObject({ assessment: { kind: "not_checked" } });
  });

  test("in a state that is too old, as the name may have changed since", async () => {
    const verdict = await ask({ age: 601 });
    expect(verdict).toMatchObject({ decision: "REJECT", assessment: { kind: "not_checked" } });
    expect(verdict.context).not.toHaveProperty("names");
  });

  test("if the caller sends another address for it", async () => {
    const verdict = await ask({ metadata: { names: { "bob.eth": other } } });
    expect(verdict).toMatchObject({ decision: "REJECT", assessment: { kind: "not_checked" } });
  });

  test.each([
    ["a Cyrillic letter", "b\u043eb.eth"],
    ["full-width letters", "\uff42ob.eth"],
  ])("if it has %s", async (_, written) => {
    expect((await ask({ words: `Send 5 USDC to ${written}` })).decision).toBe("REJECT");
  });

  test("for a payment that arrives on another chain", async () => {
    const verdict = await ask({ words: "Bridge 5 USDC to bob.eth on Base" });
    expect(verdict.decision).toBe("REJECT");
  });
});
