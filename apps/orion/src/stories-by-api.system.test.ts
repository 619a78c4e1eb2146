// The stories through POST /transactions and the whole system: the API with its worker, PostgreSQL, Restate, IPFS, the Inbox
// on the home chain, orion, the validator and the simulator, on a second chain with real contracts.
import { makeRandom, seedFor, sizeOf } from "@countersign/tools/testing";
import type { Balances } from "../../../packages/sdk/src/report/index.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forms, listAttacks, listHonest, type Form } from "../test/stories/all.ts";
import { callsOf, questionAbout, setApiStage, type Answer, type ApiStage } from "../test/stories/by-api.ts";
import { tokens } from "../test/stories/calls.ts";
import { execute, type BeforeAndAfter } from "../test/stories/executed.ts";
import { prepareStories } from "../test/stories/prepare.ts";
import { people } from "../test/stories/stage.ts";

const { me } = people;
const parties = { ...people, safe: () => stage.safe };
let stage: ApiStage;
beforeAll(async () => {
  stage = await setApiStage();
  await prepareStories(stage.chain, parties);
}, 900_000);
afterAll(async () => {
  await stage.stop();
});

const random = makeRandom(seedFor("STORIES_SEED"));

/** One story of each form, drawn by the seed of the run. In soak, all of them. */
function draw<T extends { readonly form: Form; readonly name: string }>(
  stories: readonly T[],
): readonly (readonly [string, T])[] {
  const ofForm = (form: Form): readonly T[] => stories.filter((story) => story.form === form);
  const drawn = forms.flatMap((form) => {
    const all = ofForm(form);
    const index = Math.floor(random() * all.length);
    return all.slice(index, index + 1);
  });
  const isAll = sizeOf({ part: 0, all: 1 }) === 1;
  return (isAll ? stories : drawn).map((story) => [`${story.form}: ${story.name}`, story] as const);
}

/** The assets that are compared with the chain. A report also has claims on Aave and shares of vaults, which are tokens. */
const compared: ReadonlySet<string | null> = new Set(["ETH", ...Object.keys(tokens)]);

function balancesIn(balances: Balances): BeforeAndAfter {
  if (!balances.isKnown) throw new Error(balances.why);
  expect(balances.assets.every(({ isMeasured }) => isMeasured)).toBe(true);
  return Object.fromEntries(
    balances.assets
      .filter(({ symbol }) => compared.has(symbol))
      .map(({ symbol, before, after }) => [symbol ?? "", [before ?? "", after ?? ""]] as const),
  );
}

/** Fails unless the record has, and the validator was asked about, exactly the proposal, to the last member. */
function expectUnchanged({ question, ...answer }: Answer, words: string, asked: object, form: Form): void {
  expect(question).toEqual({ words, proposed: asked, from: me });
  expect([answer.description, answer.shape]).toEqual([words, form]);
}

describe("an honest story is approved, with balances before and after", { timeout: 300_000 }, () => {
  const stories = listHonest(parties);
  test("there are 40 of them, in every form", () => {
    expect(stories.length).toBeGreaterThanOrEqual(40);
    expect(new Set(stories.map(({ form }) => form))).toEqual(new Set(forms));
  });

  test.each(draw(stories))("%s", async (_, { account, isByEffect, ...story }) => {
    const { form, words, subject: make, prepare } = story;
    await stage.chain.apart(async () => {
      await prepare?.(stage.chain);
      const subject = make();
      const answer = await stage.propose(words, form, subject);
      expect(answer).toMatchObject({
        ...{ decision: "APPROVED", receipt: "valid: APPROVED", failed: [], state: "proven" },
        ...(isByEffect
          ? { status: "PENDING", needsOwner: { code: "BY_EFFECT" } }
          : { status: "APPROVED", needsOwner: null }),
      });
      expectUnchanged(answer, words, questionAbout(form, subject), form);
      const { balances } = answer;
      const block = await stage.chain.blockNumber();
      expect(balances).toMatchObject({ isKnown: true, account: account(), block: block.toString() });
      const { sender, calls } = callsOf(form, subject);
      expect(balancesIn(balances)).toEqual(await execute(stage.chain, calls, { account: account(), sender }));
    });
  });
});

const measured = "technical_invariants.effect_measured";

describe(
  "an attack that calldata does not show is not approved, with its reason",
  { timeout: 300_000 },
  () => {
    const stories = listAttacks(parties);
    test("there are 60 of them, in every form", () => {
      expect(stories.length).toBeGreaterThanOrEqual(60);
      expect(new Set(stories.map(({ form }) => form))).toEqual(new Set(forms));
    });

    test.each(draw(stories))("%s", async (_, { form, words, subject: make, prepare, found }) => {
      await stage.chain.apart(async () => {
        await prepare?.(stage.chain);
        const subject = make();
        const answer = await stage.propose(words, form, subject);
        const { decision, status, state, receipt, analysis, reason, failed } = answer;
        expectUnchanged(answer, words, questionAbout(form, subject), form);
        expect([state, receipt]).toEqual(["proven", "valid: REJECTED"]);
        expect(analysis).toContain(reason.slice(0, 40));
        expect([decision, status]).toEqual(["REJECTED", "REJECTED"]);
        if ("why" in found) expect(answer.reasoningOf(measured)).toMatch(found.why);
        else expect(failed.filter((id) => found.because.includes(id))).not.toEqual([]);
      });
    });
  },
);
