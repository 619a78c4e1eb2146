// Every dependency of the services goes down, lies, stalls, repeats itself or is reorganised while proposals are in
// progress. After each fault the same holds as after a crash: nothing lost, nothing twice, nothing backwards.
import { setTimeout as sleep } from "node:timers/promises";
import { findRunSeed } from "@countersign/tools/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { consult, makeTeller, nothing, setStage } from "../../../tools/stage/index.ts";
import type { Findings, Kind, Stage, Teller, Told, View } from "../../../tools/stage/index.ts";

type Hex = `0x${string}`;

let stage: Stage;
let teller: Teller;
let faults = 0;
const classes = new Set<string>();
const findings: Findings[] = [];

beforeAll(async () => {
  stage = await setStage();
  stage.chain.mineEvery(200);
  teller = makeTeller(stage);
});
afterAll(async () => {
  const sum = (of: keyof Findings): number => new Set(findings.flatMap((found) => found[of])).size;
  console.log(
    `${faults} faults in ${classes.size} classes: ${sum("lost")} lost, ${sum("twice")} executed twice, ` +
      `${sum("regressions")} status regressions`,
  );
  await stage.end();
});
afterEach(async () => {
  for (const proxy of Object.values(stage.proxies)) proxy.fail();
  const found = await consult(stage, teller);
  findings.push(found);
  expect(found).toEqual(nothing);
});

const count = (name: string, times = 1): void => {
  faults += times;
  classes.add(name);
};

/** Runs an effect once, when a story reaches a phase. */
function at(phases: readonly string[], effect: (view: View) => Promise<void>): (view: View) => Promise<void> {
  let isDone = false;
  return async (view) => {
    if (isDone || !phases.includes(view.phase)) return;
    isDone = true;
    await effect(view);
  };
}

/** One of each kind concurrently, all run to their ends. */
const tellAll = (kinds: readonly Kind[]): Promise<readonly Told[]> =>
  Promise.all(kinds.map((kind) => teller.tell(kind, { seconds: 90 })));

describe("a database or engine that crashes", () => {
  const moments = ["RECEIVED", "AWAITING", "CONFIRMING"] as const;

  test.each(moments)("PostgreSQL, when a proposal is %s", async (phase) => {
    const onLook = at([phase, "READY", "EXECUTED"], async () => {
      await stage.postgres.kill();
      await stage.postgres.start();
      count("PostgreSQL");
    });
    await Promise.all([
      teller.tell("user", { onLook, seconds: 90 }),
      teller.tell("direct"),
      teller.tell("rejected"),
    ]);
  });

  test.each(moments)("Restate, when a proposal is %s", async (phase) => {
    const onLook = at([phase, "READY", "EXECUTED"], async () => {
      await stage.restate.kill();
      await stage.restate.start();
      count("Restate");
    });
    await Promise.all([
      teller.tell("user", { onLook, seconds: 90 }),
      teller.tell("direct"),
      teller.tell("rejected"),
    ]);
  });
});

describe("a custodian whose answer to an order is lost", () => {
  test.each(["postgres", "restate"] as const)(
    "%s crashes in the meantime: it is sent once, and executed",
    async (engine) => {
      stage.custodian.behave("timeout-after-accept", 1);
      const onLook = at(["BROADCAST", "CONFIRMING"], async () => {
        await stage[engine].kill();
        await stage[engine].start();
        count(`${engine} while the custodian was asked`);
      });
      const { requestHash } = await teller.tell("custody", { onLook, seconds: 90 });
      const orders = stage.custodian.accepted().filter(({ externalTxId }) => externalTxId === requestHash);
      expect(orders).toHaveLength(1);
    },
  );
});

describe("a faulty dependency", () => {
  const downs = [
    ["down", { isDown: true }],
    ["slow", { delayMs: 3_000 }],
    ["broken", { answers: { status: 500, body: "{}" } }],
    ["babbling", { answers: { status: 200, body: "{ this is not JSON" } }],
    ["unfinished", { answers: { status: 200, body: '{"decision":"PASS"}' } }],
  ] as const;

  test.each(downs)("a validator that is %s, and recovers", async (name, fault) => {
    const { validator } = stage.proxies;
    validator.fail(fault);
    const telling = tellAll(["user", "direct"]);
    await expect
      .poll(() => validator.failures(), { timeout: 30_000 })
      .toBeGreaterThan(name === "slow" ? 0 : 1);
    count(`validator ${name}`, validator.failures());
    if (name !== "slow") validator.fail();
    for (const { last } of await telling)
      expect(last.approvals.orion).toMatchObject([{ decision: "APPROVED" }]);
  });

  test("a gateway that returns wrong bytes, and then the right ones", async () => {
    const { ipfs } = stage.proxies;
    ipfs.fail({ flipsByte: true, when: ({ method }) => method === "GET" });
    const telling = teller.tell("user", { seconds: 90 });
    await expect.poll(() => ipfs.failures(), { timeout: 30_000 }).toBeGreaterThan(1);
    expect(teller.told().at(-1)?.last.approvals.orion).toEqual([]);
    count("wrong bytes", ipfs.failures());
    ipfs.fail();
    expect((await telling).last.approvals.orion).toMatchObject([{ decision: "APPROVED" }]);
  });

  test.each([
    ["gateway", "ipfs"],
    ["node", "anvil"],
  ] as const)("a %s that is down when it is needed", async (_, name) => {
    const proxy = stage.proxies[name];
    proxy.fail({ isDown: true });
    const telling = tellAll(["user", "rejected"]);
    await expect.poll(() => proxy.failures(), { timeout: 30_000 }).toBeGreaterThan(2);
    count(`${name} down`, proxy.failures());
    proxy.fail();
    await telling;
  });

  test("a node whose answers are lost after it did what it was asked", async () => {
    const { anvil } = stage.proxies;
    let lost = 0;
    anvil.fail({ losesAnswers: true, when: () => ++lost % 3 === 0 });
    const telling = tellAll(["user", "user", "user"]);
    await sleep(4_000);
    count("lost answers", anvil.failures());
    anvil.fail();
    await telling;
  });
});

describe("deliveries", () => {
  test("messages twice and out of order, from and to both services", async () => {
    const fault = { copies: 2, shuffleMs: 600 };
    stage.proxies.orion.fail(fault);
    stage.proxies.api.fail(fault);
    await tellAll(["user", "direct", "agent", "rejected", "user"]);
    count("repeated and reordered", stage.proxies.orion.failures() + stage.proxies.api.failures());
  });

  test("an approval twice at once", async () => {
    const onLook = at(["AWAITING"], async ({ requestHash }) => {
      const owner = teller.told().find((story) => story.requestHash === requestHash)?.owner;
      if (owner === undefined) throw new Error("whose is it?");
      await Promise.all(Array.from({ length: 5 }, () => owner.decide(requestHash, "APPROVED")));
      count("repeated approvals", 5);
    });
    const { last } = await teller.tell("user", { onLook });
    expect(last.approvals.user).toHaveLength(1);
  });

  test("no nudge arrives: orion finds the proposal on the chain", async () => {
    stage.proxies.orion.fail({ isDown: true });
    const { last } = await teller.tell("user");
    expect(last.approvals.orion).toMatchObject([{ decision: "APPROVED" }]);
    count("lost nudges");
  });

  test("the answer to a verdict is lost: there is one verdict", async () => {
    let lost = 0;
    stage.proxies.api.fail({
      losesAnswers: true,
      when: ({ method, path }) => method === "POST" && path.endsWith("/approvals") && ++lost < 3,
    });
    await tellAll(["user", "rejected"]);
    expect(stage.proxies.api.failures()).toBe(2);
    count("lost answers to verdicts", 2);
  });
});

describe("a chain reorg", () => {
  const blockOf = (requestHash: Hex): Promise<bigint> =>
    stage.chain.blockOfRegistration(stage.deployment.inbox, stage.urls.ipfs, requestHash);
  /** Makes the block one of the newest `depth`, and removes those. */
  const takeOut = async (block: bigint, depth: number): Promise<void> => {
    const { chain } = stage;
    await chain.mine(depth - (await chain.depthOf(block)));
    await chain.reorganise(Math.max(depth, await chain.depthOf(block)));
  };
  // A random one for each reorg; DEPTHS=all for all.
  const all = [1, 3, 8];
  const depths = process.env["DEPTHS"] === "all" ? all : [all[findRunSeed() % all.length] ?? 1];
  beforeAll(async () => {
    // Final later than anvil says, so that a reorg of this depth never reaches a final block.
    stage.chain.stopMining();
  });
  /** Until a test has seen what it waits for. */
  let isNothingFinal = false;
  const finalLater = {
    rewrites: async (body: string): Promise<string> => {
      if (!body.includes('"finalized"')) return body;
      if (isNothingFinal) return body.replaceAll('"finalized"', '"0x0"');
      const head = await stage.chain.client.getBlockNumber({ cacheTime: 0 });
      return body.replaceAll('"finalized"', `"0x${(head > 12n ? head - 12n : 0n).toString(16)}"`);
    },
  };

  test.each(depths)("of a registration, %i deep: it is registered again, once", async (depth) => {
    stage.proxies.anvil.fail(finalLater);
    stage.proxies.validator.fail({ isDown: true });
    const onLook = at(["REGISTERED"], async ({ requestHash }) => {
      await stage.chain.holdStill(true);
      await takeOut(await blockOf(requestHash), depth);
      await expect(blockOf(requestHash)).rejects.toThrow("not registered");
      count("reorganised registration");
      await stage.chain.holdStill(false);
      stage.chain.mineEvery(100);
      // Not verified before it is registered again: after the verdict it is no longer checked.
      await expect.poll(() => blockOf(requestHash), { timeout: 30_000 }).toBeGreaterThan(0n);
      stage.proxies.validator.fail();
    });
    await teller.tell("user", { onLook, seconds: 90 });
    stage.chain.stopMining();
  });

  test.each(depths)("of an execution, %i deep: it is executed when it is final, once", async (depth) => {
    stage.proxies.anvil.fail(finalLater);
    isNothingFinal = true;
    stage.chain.mineEvery(100);
    const phases: string[] = [];
    const takeBack = at(["CONFIRMING"], async ({ requestHash, transactionHash }) => {
      const story = teller.told().find((one) => one.requestHash === requestHash);
      if (story === undefined || transactionHash === null) throw new Error("nothing was seen");
      stage.chain.stopMining();
      await stage.chain.holdStill(true);
      const raw = await stage.chain.rawOf(transactionHash);
      const { blockNumber } = await stage.chain.client.getTransactionReceipt({ hash: transactionHash });
      await takeOut(blockNumber, depth);
      count("reorganised execution");
      await expect
        .poll(async () => (await story.owner.list())?.find((one) => one.requestHash === requestHash)?.phase, {
          timeout: 60_000,
        })
        .toBe("READY");
      await stage.chain.client.sendRawTransaction({ serializedTransaction: raw });
      isNothingFinal = false;
      await stage.chain.holdStill(false);
      stage.chain.mineEvery(100);
    });
    const onLook = async (view: View): Promise<void> => {
      if (phases.at(-1) !== view.phase) phases.push(view.phase);
      await takeBack(view);
    };
    await teller.tell("user", { onLook, seconds: 90 });
    expect(phases).toContain("CONFIRMING");
    expect(phases.indexOf("EXECUTED")).toBe(phases.length - 1);
    stage.chain.stopMining();
  });
});

test("the api with PostgreSQL alone accepts proposals; everything else comes later", async () => {
  stage.chain.mineEvery(200);
  const { actors, proxies, restate } = stage;
  await Promise.all([actors.api.kill(), actors.orion.kill(), actors.validator.kill(), restate.kill()]);
  for (const proxy of Object.values(proxies)) proxy.fail({ isDown: true });
  // Not even the verification service's key is known, so nothing can be encrypted yet.
  await stage.query("update verification_services set armoured = null");
  await actors.api.start();
  const telling = tellAll(["user", "direct", "agent", "rejected", "user"]);
  await expect
    .poll(async () => (await stage.query("select from transactions where phase = 'RECEIVED'")).length, {
      timeout: 30_000,
    })
    .toBe(5);
  await sleep(2_000);
  const repair =
    (...names: readonly (keyof typeof proxies)[]) =>
    async () => {
      for (const name of names) proxies[name].fail();
    };
  for (const come of [
    restate.start,
    repair("ipfs"),
    repair("anvil"),
    actors.orion.start,
    repair("orion", "api", "validator"),
    actors.validator.start,
  ]) {
    await come();
    count("late parts");
    await sleep(500);
  }
  await telling;
});
