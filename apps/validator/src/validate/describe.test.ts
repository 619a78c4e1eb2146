import { beforeAll, describe, expect, test } from "vitest";
import { seedFor } from "../../../../tools/testing/seed.ts";
import { sizeOf } from "../../../../tools/testing/size.ts";
import { readBytes } from "../bytes/read-bytes.ts";
import type { Effect } from "../effects.ts";
import { readRequest } from "../request/index.ts";
import { readWords } from "../words/read-words.ts";
import { sampleTransactions } from "../../test/corpus.ts";
import { encodeCall } from "../../test/protocols.ts";
import { makeRandom } from "../../test/random.ts";
import { startEngine } from "../../test/real-engine.ts";
import { areNoWorse, bodyOf, mutate, type Transaction } from "../../test/round-trip.ts";
import { restate } from "../canonical/restate.ts";
import { describeTransaction, type Description } from "./describe.ts";

const real = await startEngine();
const { engine } = real;
const bob = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const me = "0x7a16ff8270133f063aab6c9977183d9e72835428";
const metadata = { from: me, chain_id: 8453 };
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const payBob = `0xa9059cbb${bob.slice(2).padStart(64, "0")}${(250_000_000).toString(16).padStart(64, "0")}`;
/** Lets Aave count what was supplied as collateral. */
const aavePool = "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2";
const pledge = `0x5a3b74b9${"a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48".padStart(64, "0")}${"1".padStart(64, "0")}`;
/** 10 USDC for at least nothing. */
const uniswapV2 = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
const swapForNothing = encodeCall(
  "function swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
  [
    10_000_000n,
    0n,
    ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"],
    me,
    1_763_200_600n,
  ],
);
const payment = { to: usdc, data: payBob, value: "0" };

const describeBody = (body: object): Description =>
  describeTransaction(body as never, engine, 1_790_000_000_000);
const describeTx = (transaction: Transaction): Description => describeBody(bodyOf(transaction));
const effectsOf = (transaction: Transaction): readonly Effect[] => {
  const body = { human_intent: "", ...bodyOf(transaction) };
  return readBytes(readRequest(body, { now: 0n, registry: engine.registry }), engine).effects;
};
const verdictOf = (human_intent: string, body: object) => real.ask(JSON.stringify({ human_intent, ...body }));

describe("a transaction is described", () => {
  test("as the request that it answers", () => {
    expect(describeBody({ proposed_tx: payment, metadata })).toEqual({
      request: `Send 250 USDC to ${bob} on Base.`,
      why: null,
      steps: [{ act: "transfer", sentence: `Send 250 USDC to ${bob} on Base.`, why: null }],
    });
  });

  test("with the caller's name of the receiver", () => {
    const known_addresses = [{ address: bob, label: "Alice" }];
    expect(describeBody({ proposed_tx: payment, metadata: { ...metadata, known_addresses } }).request).toBe(
      `Send 250 USDC to Alice (${bob}) on Base.`,
    );
  });

  test("without a name that would be read as something else", async () => {
    const body = {
      proposed_tx: payment,
      metadata: { ...metadata, known_addresses: [{ address: bob, label: "Swap" }] },
    };
    const { request } = describeBody(body);
    expect(request).toBe(`Send 250 USDC to ${bob} on Base.`);
    expect(await verdictOf(request ?? "", body)).toMatchObject({ decision: "PASS" });
  });

  test("in several sentences, in the order of its calls", async () => {
    const approval = `0x095ea7b3${bob.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;
    const transactions = [payment, { to: usdc, data: approval, value: "0" }];
    const body = { proposed_tx: { transactions }, metadata };
    const { request } = describeBody(body);
    expect(request).toBe(`Send 250 USDC to ${bob} on Base. Approve ${bob} to spend 0.000005 USDC on Base.`);
    expect((await verdictOf(request ?? "", body))?.assessment.kind).toBe("entailed");
  });
});

describe("a transaction is not described, with the reason, if", () => {
  test.each<[string, object, string]>([
    [
      "there is none",
      { proposed_tx: {}, metadata },
      "The transaction is malformed: proposed_tx is nothing to sign",
    ],
    [
      "it is malformed",
      { proposed_tx: { ...payment, data: "0x1" }, metadata },
      "The transaction is malformed: ",
    ],
    [
      "it cannot be read",
      { proposed_tx: { ...payment, data: "0x12345678" }, metadata },
      "We cannot describe this transaction: ",
    ],
    [
      "it moves nothing",
      { proposed_tx: { to: aavePool, data: pledge, value: "0" }, metadata: { ...metadata, chain_id: 1 } },
      "The transaction moves nothing and grants nothing.",
    ],
    [
      "it guarantees no return",
      {
        proposed_tx: { to: uniswapV2, data: swapForNothing, value: "0" },
        metadata: { ...metadata, chain_id: 1, now: 1_763_200_000 },
      },
      "No request can confirm this transaction: it guarantees no minimum return.",
    ],
  ])("%s", (_, body, why) => {
    const description = describeBody(body);
    expect(description.request).toBeNull();
    expect(description.why).toContain(why);
  });

  test("one of its calls cannot be described: the other sentences are still returned", () => {
    const transactions = [payment, { to: bob, data: "0x12345678", value: "0" }];
    const { request, steps } = describeBody({ proposed_tx: { transactions }, metadata });
    expect(request).toBeNull();
    expect(steps.map(({ sentence }) => sentence)).toEqual([`Send 250 USDC to ${bob} on Base.`, null]);
  });
});

const seed = seedFor("describe");
const random = makeRandom(seed);
const all: Transaction[] = [];
let described: readonly (Transaction & { readonly request: string })[] = [];

beforeAll(() => {
  const transactions = sampleTransactions();
  const part = sizeOf({ part: 150, all: transactions.length });
  const shuffled = transactions.map((one) => ({ one, at: random.int(2 ** 30) })).sort((a, b) => a.at - b.at);
  all.push(...shuffled.slice(0, part).map(({ one }) => one));
  described = all.flatMap((one) => {
    const { request } = describeTx(one);
    return request === null ? [] : [{ ...one, request }];
  });
}, 120_000);

describe(`over the protocols' samples (seed ${seed})`, () => {
  test("more than half can be described", () => {
    expect(described.length * 2).toBeGreaterThan(all.length);
  });

  test("every description reads back as entailed", { timeout: 600_000 }, async () => {
    for (const { request, ...one } of described)
      expect((await verdictOf(request, bodyOf(one)))?.assessment.kind, request).toBe("entailed");
  });

  test("most descriptions are restated word for word", () => {
    const restated = described.filter(
      ({ request }) => restate(readWords(request, engine.lexicon, []), engine) === request,
    );
    expect(restated.length / described.length).toBeGreaterThan(0.7);
  });

  test(
    "no description passes for a transaction that is worse for the owner",
    { timeout: 3_600_000 },
    async () => {
      for (const { request, ...one } of described) {
        const before = effectsOf(one);
        const mutants = mutate(one);
        const tried = sizeOf({ part: 4, all: mutants.length });
        for (let at = 0; at < Math.min(tried, mutants.length); at += 1) {
          const mutant = (tried < mutants.length ? null : mutants[at]) ?? random.pick(mutants);
          const verdict = await verdictOf(request, bodyOf(mutant));
          if (verdict?.decision !== "PASS") continue;
          expect(areNoWorse(before, effectsOf(mutant)), `${request} ${JSON.stringify(mutant)}`).toBe(true);
        }
      }
    },
  );
});
