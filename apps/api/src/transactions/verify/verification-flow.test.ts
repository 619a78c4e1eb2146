import { beforeEach, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import type { GroupSteps } from "../../platform/flows/index.ts";
import { aTransaction, now } from "../../../test/transactions/in-memory.ts";
import type { Verifiable } from "../store/index.ts";
import type { Hex } from "../transaction.ts";
import { makeVerifyTogether } from "./verification-flow.ts";

const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, "0")}`;
const [one, two, three] = [hashOf(1), hashOf(2), hashOf(3)];

type Changes = Partial<Omit<Verifiable, "transaction">> & Parameters<typeof aTransaction>[0];

/** A new, encrypted proposal, unless it is changed. */
const aProposal = (
  requestHash: Hex,
  { registrationId = null, isRegistered = false, hasRoot = false, extras = null, ...changes }: Changes = {},
): Verifiable => ({
  transaction: aTransaction({ id: requestHash, requestHash, ...changes }),
  ...{ extras, registrationId, isRegistered, hasRoot },
});
const onChain = { registrationId: "registration", isRegistered: true, hasRoot: true };

let proposals: Map<Hex, Verifiable>;
let done: (readonly [string, ...unknown[]])[];
beforeEach(() => {
  proposals = new Map();
  done = [];
});
const have = (...all: readonly Verifiable[]): void => {
  for (const each of all) proposals.set(each.transaction.requestHash, each);
};

type Options = {
  /** The registrar's answers. It registers all others. */
  readonly registered?: Readonly<Record<Hex, "over" | "keyless" | "refused" | "fails">>;
  readonly simulates?: boolean;
  readonly pastLimit?: readonly Hex[];
  readonly seconds?: number;
};

/** Runs it once, as the engine would, and returns what was done, in its order. */
async function run({ registered = {}, simulates = true, pastLimit = [], seconds = 0 }: Options = {}) {
  const note = (what: string, ...details: readonly unknown[]): void => void done.push([what, ...details]);
  const steps: GroupSteps = {
    step: ((_: string, effect: () => Promise<unknown>) => effect()) as GroupSteps["step"],
    begin: async () => [...proposals.keys()],
    wait: async (keys, times) => {
      if (keys.length > 0) note("wait", keys, times);
    },
    finish: async (keys) => {
      if (keys.length > 0) note("finish", keys);
    },
    park: async (keys) => {
      if (keys.length > 0) note("park", keys);
    },
  };
  await makeVerifyTogether({
    flowStore: { listPastLimit: async () => pastLimit },
    store: {
      listVerifiable: async (hashes) => hashes.flatMap((hash) => proposals.get(hash) ?? []),
      acceptExecutions: async (hashes) => (note("accept executions", hashes), []),
    },
    registrar: {
      register: async (hash) => {
        note("register", hash);
        const found = proposals.get(hash);
        const answer = registered[hash];
        if (answer === "fails") throw new Error("away");
        if (answer !== undefined || found === undefined) return answer ?? "over";
        proposals.set(hash, { ...found, ...onChain });
        return "registered";
      },
    },
    takeSnapshot: async ({ requestHash }) => (note("snapshot", requestHash), simulates),
    nudgeOrion: async (all) => {
      note(
        "nudge",
        all.map(({ transaction }) => transaction.requestHash),
      );
    },
    giveUp: async (hash) => {
      note("give up", hash);
    },
    clock: { now: () => new Date(now.getTime() + seconds * 1000) },
    log: makeLog({ app: "test", level: "silent" }),
    ...{ verdictSeconds: 600, nudgeSeconds: 30 },
  })(steps);
  return done;
}
const waiting = { seconds: 30, limitSeconds: 600 };

test("new proposals are simulated, registered, and announced together", async () => {
  have(aProposal(one), aProposal(two));
  expect(await run()).toEqual([
    ["snapshot", one],
    ["snapshot", two],
    ["register", one],
    ["register", two],
    ["nudge", [one, two]],
    ["wait", [one, two], waiting],
  ]);
});

test("an unencrypted proposal is announced without a registration", async () => {
  have(aProposal(one, { form: "unsealed" }));
  expect(await run()).toEqual([
    ["snapshot", one],
    ["nudge", [one]],
    ["wait", [one], waiting],
  ]);
});

test("a registered one is announced again, without a second snapshot", async () => {
  have(aProposal(one, onChain));
  expect(await run()).toEqual([
    ["nudge", [one]],
    ["wait", [one], waiting],
  ]);
});

describe("a snapshot that the node does not give", () => {
  test("is tried again before the proposal goes on, so that orion is asked after it", async () => {
    have(aProposal(one), aProposal(two, onChain));
    expect(await run({ simulates: false, seconds: 9 })).toEqual([
      ["snapshot", one],
      ["wait", [one], { seconds: 2 }],
      ["nudge", [two]],
      ["wait", [two], waiting],
    ]);
  });
  test("is given up after a while: the proposal is verified without one", async () => {
    have(aProposal(one));
    expect(await run({ simulates: false, seconds: 11 })).toContainEqual(["register", one]);
  });
});

describe("without a verdict", () => {
  test("it is given up once its time is over, and the others go on waiting", async () => {
    have(aProposal(one, onChain), aProposal(two, onChain));
    expect(await run({ pastLimit: [one] })).toEqual([
      ["give up", one],
      ["finish", [one]],
      ["nudge", [two]],
      ["wait", [two], waiting],
    ]);
  });
  test("one that is not registered is never given up, but registered", async () => {
    have(aProposal(one));
    expect(await run({ pastLimit: [one] })).not.toContainEqual(["give up", one]);
  });
});

describe("a proposal that is over", () => {
  test.each([
    ["has ended", { after: ["withdraw"] }],
    ["has a verdict and is registered", { after: ["pin", "register", "verdictApproved"], ...onChain }],
    [
      "has a verdict and is not encrypted",
      { after: ["pin", "register", "verdictApproved"], form: "unsealed" },
    ],
  ] as const)("%s: is finished", async (_, changes) => {
    have(aProposal(one, changes));
    expect(await run()).toEqual([
      ["accept executions", [one]],
      ["finish", [one]],
    ]);
  });
  test("has a verdict, but is not registered: is registered first", async () => {
    have(aProposal(one, { after: ["verdictApproved"] }));
    expect(await run()).toEqual([
      ["snapshot", one],
      ["register", one],
      ["accept executions", [one]],
      ["finish", [one]],
    ]);
  });
});

test("proposals that cannot be registered end, wait or are left to the operator, each alone", async () => {
  have(aProposal(one), aProposal(two), aProposal(three), aProposal(hashOf(4)));
  const registered = { [one]: "over", [two]: "keyless", [three]: "refused" } as const;
  expect((await run({ registered })).slice(-5)).toEqual([
    ["finish", [one]],
    ["park", [three]],
    ["wait", [two], { seconds: 2 }],
    ["nudge", [hashOf(4)]],
    ["wait", [hashOf(4)], waiting],
  ]);
});

test("one that fails does not hold up the others, and is tried again by another run", async () => {
  have(aProposal(one), aProposal(two));
  expect((await run({ registered: { [one]: "fails" } })).slice(-3)).toEqual([
    ["wait", [one], { seconds: 2 }],
    ["nudge", [two]],
    ["wait", [two], waiting],
  ]);
});

test("if all fail, the run fails, for the engine to repeat", async () => {
  have(aProposal(one), aProposal(two));
  await expect(run({ registered: { [one]: "fails", [two]: "fails" } })).rejects.toThrow("away");
});

test("a run without proposals does nothing", async () => {
  expect(await run()).toEqual([]);
});
