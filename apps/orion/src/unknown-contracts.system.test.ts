// Requests about contracts that are in no table, from the proposal to the decision: orion's own code with the simulator and the
// validator as processes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wrap, type Call } from "../test/stories/calls.ts";
import type { Chain } from "../test/stories/chain.ts";
import { people, setStage, some, type Stage } from "../test/stories/stage.ts";
import { attackStories, honestStories } from "../test/stories/unknown-contracts.ts";

const check = "technical_invariants.effect_measured";
let stage: Stage;
let chain: Chain;

beforeAll(async () => {
  stage = await setStage({ name: "unknown-contracts" });
  ({ chain } = stage);
  await chain.send(people.me, wrap("50"));
}, 900_000);
afterAll(async () => {
  await stage.stop();
});

type Report = {
  readonly reason: string;
  readonly assessment: { readonly kind: string; readonly by_effect?: unknown };
  readonly results: Readonly<Record<string, { readonly status: string; readonly reasoning: string }>>;
  readonly context: {
    readonly state?: { readonly status: string };
    readonly second_engine?: { readonly result: string };
  };
};

async function decide(request: string, call: Call) {
  const { decision, report } = await stage.decide(request, call);
  const { reason, results, context, assessment } = report as Report;
  const failed = Object.entries(results).flatMap(([id, { status }]) => (status === "FAIL" ? [id] : []));
  return {
    ...{ decision, reason, failed, assessment, measured: results[check] },
    ...{ state: context.state?.status, engines: context.second_engine?.result },
  };
}

describe("an honest story on an unknown contract is APPROVED, marked as checked by its effect", () => {
  const stories = honestStories(people);
  test("there are 12 of them", () => {
    expect(stories.length).toBeGreaterThanOrEqual(12);
  });
  test.each(some(stories, 3).map((story) => [story.name, story] as const))(
    "%s",
    async (_, { words, call, prepare }) => {
      await chain.apart(async () => {
        await prepare(chain);
        const made = call();
        const found = await decide(words, made);
        const number = (await chain.blockNumber()).toString();
        expect(found).toMatchObject({
          ...{ decision: "APPROVED", failed: [], state: "proven", engines: "agree" },
          assessment: { kind: "entailed", by_effect: { contract: made.to, block: { number } } },
          measured: { status: "PASS" },
        });
        expect(found.measured?.reasoning).toContain(`Checked by its effect on block ${number}`);
      });
    },
    180_000,
  );
});

describe("an attack of an unknown contract is not approved, with its reason", () => {
  const stories = attackStories(people);
  test("there are 20 of them", () => {
    expect(stories.length).toBeGreaterThanOrEqual(20);
  });
  test.each(some(stories, 3).map((story) => [story.name, story] as const))(
    "%s",
    async (_, { words, call, prepare, why }) => {
      await chain.apart(async () => {
        await prepare(chain);
        const found = await decide(words, call());
        expect(["REJECTED", "UNDECIDED"]).toContain(found.decision);
        expect(found.state).toBe("proven");
        expect(found.assessment).not.toHaveProperty("by_effect");
        expect(found.measured?.status).toBe("SKIP");
        expect(found.measured?.reasoning).toMatch(why);
      });
    },
    180_000,
  );
});
