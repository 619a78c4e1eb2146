// Requests of owners on a chain with real contracts, from the proposal to the decision: orion's own code with the simulator and
// the validator as processes. stories-by-api.system.test.ts takes them through POST /transactions and the whole system.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addresses as at } from "@countersign/tools/world";
import type { Hex } from "@countersign/wire";
import { attackStories } from "../test/stories/attacks.ts";
import { attackBatches, honestBatches } from "../test/stories/batches.ts";
import type { Call } from "../test/stories/calls.ts";
import type { Chain } from "../test/stories/chain.ts";
import { attackCrossings, honestCrossings } from "../test/stories/crossings.ts";
import { execute, type BeforeAndAfter } from "../test/stories/executed.ts";
import { honestStories } from "../test/stories/honest.ts";
import { attackLending, honestLending } from "../test/stories/lending.ts";
import { attackNames, honestNames, openNames } from "../test/stories/names.ts";
import { prepareStories } from "../test/stories/prepare.ts";
import { attackSafes, honestSafes } from "../test/stories/safes.ts";
import { allowedBy, attackSignatures, honestSignatures } from "../test/stories/signatures.ts";
import { people, setStage, some, type Proposed, type Stage } from "../test/stories/stage.ts";
import { attackRouterSwaps, honestRouterSwaps } from "../test/stories/universal-router.ts";
import type { Captured } from "./adapters/simulator/index.ts";

const { me, friend } = people;
let stage: Stage;
let chain: Chain;
const parties = { me, friend, safe: () => stage.safe };
/** The real simulator's answer, as it is passed on. A test changes it to plant a difference. */
let passOn: (captured: Captured) => Captured = (captured) => captured;
afterEach(() => {
  passOn = (captured) => captured;
});

beforeAll(async () => {
  stage = await setStage({ name: "stories", passOn: (captured) => passOn(captured) });
  ({ chain } = stage);
  await prepareStories(chain, parties);
}, 900_000);
afterAll(async () => {
  await stage.stop();
});

type Report = {
  readonly reason: string;
  readonly results: Readonly<Record<string, { readonly status: string }>>;
  readonly context: {
    readonly state?: { readonly status: string };
    readonly second_engine?: { readonly result: string; readonly why?: string };
    readonly simulation?: unknown;
    readonly balances?: unknown;
    readonly names?: unknown;
  };
};

type Calls = Call | readonly Call[];

async function decide(request: string, call: Proposed) {
  const { decision, report } = await stage.decide(request, call);
  const { reason, results, context } = report as Report;
  const failed = Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));
  const { simulation, balances, names, second_engine: second } = context;
  const engines = second?.why ?? second?.result;
  const state = context.state?.status;
  return { decision, reason, failed, state, engines, second, simulation, balances, names, report };
}

type Balance = {
  readonly symbol: string;
  readonly before: string;
  readonly after: string;
  readonly measured: boolean;
};
/** Of the assets in a report, by symbol. */
function balancesIn(balances: unknown): BeforeAndAfter {
  const { assets } = balances as { readonly assets: readonly Balance[] };
  expect(assets.every(({ measured }) => measured)).toBe(true);
  return Object.fromEntries(assets.map(({ symbol, before, after }) => [symbol, [before, after]]));
}

const executed = (call: Calls, account = me, sender = me): Promise<BeforeAndAfter> =>
  execute(chain, call, { account, sender });

type Attack = Omit<ReturnType<typeof attackStories>[number], "call"> & { readonly call: () => Proposed };

/** On a proven state, with one of the reasons that the story names. Returns what the engines say. */
async function expectRejected({ words, call, prepare, because }: Attack) {
  const { decision, reason, failed, state, engines } = await chain.apart(async () => {
    await prepare?.(chain);
    return decide(words, call());
  });
  expect([decision, reason, state]).toEqual(["REJECTED", expect.any(String), "proven"]);
  expect(failed.filter((id) => because.includes(id))).not.toEqual([]);
  return engines;
}

/** Returns the balances in the report. Both engines agree, unless another reason is expected. */
async function expectApproved(words: string, call: Proposed, expected = "agree"): Promise<unknown> {
  const { decision, failed, state, engines, reason, balances } = await decide(words, call);
  expect([decision, failed, state, engines, reason]).toEqual([
    ...["APPROVED", [], "proven", expected],
    expect.any(String),
  ]);
  return balances;
}

describe("an honest story is APPROVED, with the balances that change", { timeout: 180_000 }, () => {
  const stories = [...honestStories(parties), ...honestNames(parties)];
  test("there are 40 of them", () => {
    expect(stories.length).toBeGreaterThanOrEqual(40);
  });
  test.each(some(stories, 5).map(({ words, call }) => [words, call] as const))("%s", async (words, make) => {
    await chain.apart(async () => {
      const call = make();
      const found = await decide(words, call);
      const block = await chain.blockNumber();
      expect(found).toMatchObject({
        ...{ decision: "APPROVED", failed: [], state: "proven", engines: "agree" },
        simulation: { changes: expect.any(Array) as unknown[] },
      });
      expect(found.balances).toEqual({
        ...{ status: "known", account: me, block: block.toString(), fee_included: false, complete: true },
        assets: expect.any(Array) as unknown[],
      });
      expect(balancesIn(found.balances)).toEqual(await executed(call));
    });
  });

  test("of every kind: a payment, a token transfer and a swap", () => {
    const words = some(stories, 5).map((story) => story.words);
    for (const kind of [/^Send \S+ ETH/, /^Send \S+ USDC/, /^Swap/])
      expect(words.filter((one) => kind.test(one))).not.toEqual([]);
  });
});

/** The second engine does not execute what others send for the account. */
const sentByOthers = "another account sends the transaction";

/** Other attacks about which the second engine cannot tell, with its reason. Every other story has the same result in both engines. */
const cannotTell: ReadonlyMap<string, string> = new Map([
  [
    "a token that looks at the last block's hash to see whether it is watched",
    "the call reads the hash of a block",
  ],
]);

describe("an attack that calldata does not show is REJECTED, with its reason", { timeout: 180_000 }, () => {
  const stories = [...attackStories(parties), ...attackNames(parties)];
  test("there are 60 of them", () => {
    expect(stories.length).toBeGreaterThanOrEqual(60);
  });
  test.each(some(stories, 5).map((story) => [story.name, story] as const))("%s", async (name, story) => {
    expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? "agree");
  });
});

describe("lending", { timeout: 180_000 }, () => {
  test.each(honestLending(parties).map(({ words, call }) => [words, call] as const))(
    "is APPROVED if it does what was asked: %s",
    async (words, make) => {
      await chain.apart(async () => {
        const call = make();
        const balances = await expectApproved(words, call);
        // The report also has the claims on Aave and debts to it, which are tokens.
        expect(balancesIn(balances)).toMatchObject(await executed(call));
      });
    },
  );

  test.each(attackLending(parties).map((story) => [story.name, story] as const))(
    "is REJECTED with its reason: %s",
    async (name, story) => {
      expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? "agree");
    },
  );
});

describe("a transaction of a Safe", { timeout: 180_000 }, () => {
  test.each(some(honestSafes(parties), 1).map(({ words, call }) => [words, call] as const))(
    "is APPROVED if it does what was asked: %s",
    async (words, make) => {
      await chain.apart(async () => {
        const call = make();
        const balances = await expectApproved(words, call);
        expect(balances).toMatchObject({ status: "known", account: stage.safe });
        expect(balancesIn(balances)).toEqual(await executed(call, stage.safe));
      });
    },
  );

  test.each(attackSafes(parties).map((story) => [story.name, story] as const))(
    "is REJECTED with its reason: %s",
    async (name, story) => {
      expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? "agree");
    },
  );
});

describe("a deposit for another chain, or a claim", { timeout: 180_000 }, () => {
  test.each(honestCrossings(parties).map(({ words, call }) => [words, call] as const))(
    "is APPROVED if it does what was asked: %s",
    async (words, make) => {
      await chain.apart(async () => {
        const call = make() as Call;
        const balances = await expectApproved(words, call);
        expect(balancesIn(balances)).toEqual(await executed(call));
      });
    },
  );

  test.each(attackCrossings(parties).map((story) => [story.name, story] as const))(
    "is REJECTED with its reason: %s",
    async (name, story) => {
      expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? "agree");
    },
  );
});

describe("a swap on the Universal Router", { timeout: 180_000 }, () => {
  test.each(some(honestRouterSwaps(parties), 3).map((story) => [story.words, story] as const))(
    "is APPROVED if it does what was asked: %s",
    async (words, { call: make, prepare }) => {
      await chain.apart(async () => {
        await prepare?.(chain);
        const call = make();
        const balances = await expectApproved(words, call);
        expect(balancesIn(balances)).toEqual(await executed(call));
      });
    },
  );

  test.each(some(attackRouterSwaps(parties), 3).map((story) => [story.name, story] as const))(
    "is REJECTED with its reason: %s",
    async (name, story) => {
      expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? "agree");
    },
  );
});

describe("a batch of calls", { timeout: 180_000 }, () => {
  test.each(some(honestBatches(parties), 1).map(({ words, call }) => [words, call] as const))(
    "is APPROVED if it does what was asked: %s",
    async (words, make) => {
      await chain.apart(async () => {
        const call = make();
        const balances = await expectApproved(words, call);
        // The report also has the claims on Aave, which are tokens.
        expect(balancesIn(balances)).toMatchObject(await executed(call));
      });
    },
  );

  test.each(attackBatches(parties).map((story) => [story.name, story] as const))(
    "is REJECTED with its reason: %s",
    async (name, story) => {
      expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? "agree");
    },
  );
});

describe("a signature", { timeout: 180_000 }, () => {
  test.each(some(honestSignatures(parties), 1).map(({ words, call }) => [words, call] as const))(
    "is APPROVED if it allows what was asked: %s",
    async (words, make) => {
      await chain.apart(async () => {
        const signed = make();
        const balances = await expectApproved(words, signed, sentByOthers);
        const { account, calls } = allowedBy(signed, me);
        expect(balances).toMatchObject({ status: "known", account });
        expect(balancesIn(balances)).toEqual(await executed(calls, account, account));
      });
    },
  );

  test.each(attackSignatures(parties).map((story) => [story.name, story] as const))(
    "is REJECTED with its reason: %s",
    async (name, story) => {
      expect(await expectRejected(story)).toBe(cannotTell.get(name) ?? sentByOthers);
    },
  );

  test("for a Safe that does not name the account as an owner leaves the decision open", async () => {
    const story = honestSignatures(parties).find(({ words }) => words.startsWith("Send 5 USDC from my Safe"));
    await chain.apart(async () => {
      await chain.setEntry(stage.safe, { slot: 2n, key: me }, 0n);
      const { decision, failed, state } = await decide(story?.words ?? "", story?.call() ?? { to: me });
      expect([decision, failed, state]).toEqual(["UNDECIDED", [], "refused"]);
    });
  });
});

describe("a name", { timeout: 180_000 }, () => {
  test("that the chain resolves is in the signed report with its address", async () => {
    const [story] = honestNames(parties);
    const { decision, names, report } = await chain.apart(() =>
      decide(story?.words ?? "", story?.call() ?? { to: me }),
    );
    expect([decision, names]).toEqual([
      "APPROVED",
      [{ name: "bob.eth", address: friend, resolver: at.ensResolver }],
    ]);
    expect(JSON.stringify(report)).toContain(`bob.eth (${friend})`);
  });

  test.each(openNames(parties).map((story) => [story.name, story] as const))(
    "that cannot be proven leaves the decision open: %s",
    async (_, { words, call, prepare, because }) => {
      await chain.apart(async () => {
        await prepare?.(chain);
        const { decision, failed, state, names } = await decide(words, call());
        expect([decision, state]).toEqual(["UNDECIDED", "proven"]);
        expect(failed).toEqual([]);
        expect(JSON.stringify(names)).toContain(because);
      });
    },
  );
});

describe(
  "engines that differ leave an honest story UNDECIDED, with both results",
  { timeout: 180_000 },
  () => {
    type Answer = { readonly second: { readonly hash: Hex; readonly gas_used: string } };
    const [story] = honestStories(parties);
    const differing = async (plant: (answer: Answer) => object) => {
      passOn = ({ state, secondEngine }) => ({ state, secondEngine: plant(secondEngine as Answer) });
      return chain.apart(() => decide(story?.words ?? "", story?.call() ?? { to: me }));
    };
    const other: Hex = `0x${"5e".repeat(32)}`;

    test("if the second engine has another result than the validator", async () => {
      const found = await differing((answer) => ({ ...answer, second: { ...answer.second, hash: other } }));
      expect(found).toMatchObject({ decision: "UNDECIDED", failed: [], engines: "differs" });
      expect(found.second).toMatchObject({ first: {}, second: { hash: other } });
      expect(found.reason).toContain("different results");
    });

    test("if the simulator found a difference in gas", async () => {
      const found = await differing(({ second, ...answer }) => ({
        ...{ ...answer, result: "differs", first: second, second: { ...second, gas_used: "1", hash: other } },
        differences: [{ what: "gas used", first: second.gas_used, second: "1" }],
      }));
      expect(found).toMatchObject({ decision: "UNDECIDED", failed: [], engines: "differs" });
      expect(found.second).toMatchObject({ differences: [{ what: "gas used", second: "1" }] });
    });

    test.each<[string, object]>([
      ["about another state", { state: other }],
      ["with a member that is not known", { hint: "approve" }],
    ])("if the answer is one %s", async (_, members) => {
      const found = await differing((answer) => ({ ...answer, ...members }));
      expect(found).toMatchObject({ decision: "UNDECIDED", failed: [] });
    });

    test("and one that cannot tell does not change the decision", async () => {
      const found = await differing((answer) => {
        const { second: _, ...about } = answer;
        return { ...about, result: "cannot", why: "it is busy" };
      });
      expect(found).toMatchObject({ decision: "APPROVED", engines: "it is busy" });
    });
  },
);
