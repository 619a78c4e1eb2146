// The real second engine in its own process: the same results as the JavaScript engine, bit for bit, and every planted difference found.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAgreement, type EngineResult } from "@countersign/evm";
import { makeLog } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import type { Hex } from "@countersign/wire";
import { from, runFirst, to } from "../../test/first-run.ts";
import { edrName, makeSecondEngine, type EdrReply, type EdrScene, type FirstRun } from "./index.ts";

type EdrPool = Pool<EdrScene, EdrReply, null>;
type Ran = Extract<EngineResult, { kind: "ran" }>;

const lines: string[] = [];
const log = makeLog({ app: "test", level: "warn", to: { write: (line) => void lines.push(line) } });
const limits = { budgetMs: 10_000, timeoutMs: 60_000 };
let pool: EdrPool;

beforeAll(async () => {
  pool = makePool({
    ...{ name: "second engine", kind: "process", size: 1, queue: 8, maxWaitMs: 60_000, memoryMb: 384, log },
    file: new URL("edr-worker.ts", import.meta.url),
    dataFor: () => null,
  });
  await pool.start();
}, 60_000);
afterAll(() => pool.close());

const engineOn = (given: Partial<Parameters<typeof makeSecondEngine>[0]> = {}) =>
  makeSecondEngine({ engine: edrName, pool, ...limits, log, ...given });
const check = (first: FirstRun) => engineOn().check(first);

/** PUSH20. */
const push = (address: Hex): string => `73${address.slice(2)}`;
const other: Hex = `0x${"dd".repeat(20)}`;
const slot = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** Stores the value of an opcode in a slot, so that its exact value is compared. */
const storing = (opcodes: readonly string[]): Hex =>
  `0x${opcodes.map((opcode, at) => `${opcode}60${at.toString(16).padStart(2, "0")}55`).join("")}00`;

const surroundings = ["41", "42", "43", "44", "45", "46", "48", "3a", "32", "33", "34", "47", "5a"];
/** Code that copies the runtime code after it into memory and creates a contract of it. */
const creating = (opcode: "f0" | "f5"): Hex =>
  `0x67600160005360015ff35f52${opcode === "f5" ? "602a" : ""}600860185f${opcode}5f5500`;

describe("both engines agree", () => {
  test.each<[string, Parameters<typeof runFirst>[0]]>([
    ["a payment", { code: "0x", call: { value: "0x5" } }],
    ["a payment to a new account", { code: "0x00", call: { to: other, value: "0x5" } }],
    [
      "everything that the account holds for a call that reverts",
      { code: "0x5f5ffd", call: { value: "0x1" } },
    ],
    ["values of the block and the transaction", { code: storing(surroundings), call: { value: "0x7" } }],
    [
      "a slot that is cleared, with its refund",
      { code: "0x5f5f5500", target: { storage: { [slot(0)]: 9n } } },
    ],
    [
      "a slot that is written twice",
      { code: "0x60015f5560025f5500", target: { storage: { [slot(0)]: 9n } } },
    ],
    ["a slot that is set back", { code: "0x60015f5560095f5500", target: { storage: { [slot(0)]: 9n } } }],
    ["transient storage", { code: "0x60055f5d5f5c5f5500" }],
    ["logs with topics and data", { code: "0x602a5f52600160026003600460205fa4" }],
    ["a revert", { code: "0x60015f555f5ffd" }],
    ["an invalid opcode", { code: "0x60015f55fe" }],
    ["all gas used up", { code: "0x5b600056", call: { gas: "0x186a0" } }],
    ["a contract that is created", { code: creating("f0") }],
    ["a contract that is created at a chosen address", { code: creating("f5") }],
    ["a contract that destroys itself", { code: `0x${push(other)}ff`, target: { balance: 5n } }],
    [
      "a call that fails inside",
      { code: `0x5f5f5f5f5f${push(other)}5af15f5500`, accounts: { [other]: { nonce: 1n, code: "0xfe" } } },
    ],
    [
      "a delegated call",
      {
        code: `0x5f5f5f5f${push(other)}5af45f5500`,
        accounts: { [other]: { nonce: 1n, code: "0x600760015500" } },
      },
    ],
    [
      "a call with value to a new account",
      { code: `0x5f5f5f5f6001${push(other)}5af100`, target: { balance: 5n } },
    ],
    ["sha256 and identity", { code: "0x602a5f5260205f60205f60025afa5060205f60205f60045afa505f515f5500" }],
    ["modexp with empty input", { code: "0x60205f60605f60055afa505f515f5500" }],
    ["the P-256 precompile", { code: "0x60205f60a05f6101005afa5f5500" }],
    ["leading zeros", { code: "0x600f1e5f5500" }],
    ["calldata with zeros and bytes", { code: "0x365f5500", call: { data: `0x${"0011".repeat(200)}` } }],
    ["a deep recursion", { code: "0x5f5f5f5f5f305af15f5500" }],
    ["a large memory", { code: "0x62020000515f5500" }],
    [
      "a sender that delegated its account",
      {
        code: "0x60015f5500",
        accounts: { [from]: { balance: 10n ** 19n, code: `0xef0100${to.slice(2)}` } },
        call: { to: from },
      },
    ],
    ["a sender that cannot pay", { code: "0x00", balance: 5n }],
    [
      "gas below the cost of the calldata",
      { code: "0x00", call: { gas: "0x5208", data: `0x${"11".repeat(64)}` } },
    ],
    ["several calls that count up a slot", { code: "0x5f546001015f5500", following: [{}, {}, {}] }],
    [
      "several calls of which one sets a slot back",
      { code: "0x365f5500", target: { storage: { [slot(0)]: 1n } }, following: [{}, { data: "0x00" }] },
    ],
    ["several calls that read transient storage", { code: "0x5f5c6001015f5d5f5c5f5500", following: [{}] }],
    [
      "several payments",
      {
        code: "0x00",
        call: { value: "0x5" },
        following: [
          { to: other, value: "0x7" },
          { to: other, value: "0x1" },
        ],
      },
    ],
    [
      "a contract that one call creates and the next one finds",
      { code: creating("f5"), target: { balance: 5n }, following: [{}] },
    ],
    [
      "a call that fails after one that does not",
      { code: "0x3660065760015f55005b5f5ffd", following: [{ data: "0x01" }, {}] },
    ],
    [
      "several calls that the account cannot pay together",
      {
        code: "0x00",
        balance: 10n ** 16n,
        call: { value: "0x11c37937e08000" },
        following: [{ value: "0x11c37937e08000" }],
      },
    ],
  ])("about %s", async (_, given) => {
    const { first } = await runFirst(given);
    expect(first.unsupported).toBeNull();
    const found = await check(first);
    expect(found).toMatchObject({ result: "agree", engine: edrName, state: first.state });
    expect(readAgreement(found)).toEqual(found);
  });

  test.each(["cancun", "prague", "osaka"] as const)("on the rules of %s", async (hardfork) => {
    // Counting leading zeros is new in Osaka, and the price of calldata in Prague.
    const call = { data: `0x${"11".repeat(300)}` } as const;
    for (const code of [storing(surroundings), "0x600f1e5f5500"] as const)
      expect((await check((await runFirst({ code, hardfork, call })).first)).result).toBe("agree");
  });
});

describe("a second engine that cannot tell", () => {
  test.each<[string, Hex, string]>([
    ["hashes of blocks", "0x60014303405f5500", "the hash of a block"],
    ["the fee for blobs", "0x4a5f5500", "the fee for blobs"],
  ])("says so for calls that read %s", async (_, code, because) => {
    const { first } = await runFirst({ code });
    expect(await check(first)).toMatchObject({
      result: "cannot",
      why: expect.stringContaining(because) as string,
    });
  });

  test("says so for a call that an earlier one pays for", async () => {
    // Gives its caller an ether.
    const { first } = await runFirst({
      ...{ code: "0x5f5f5f5f670de0b6b3a7640000335af100", target: { balance: 10n ** 18n } },
      ...{ balance: 10n ** 17n, following: [{ to: other, value: "0xde0b6b3a7640000" }] },
    });
    expect(first.result).toMatchObject({ succeeded: true });
    expect(await check(first)).toMatchObject({
      ...{ result: "cannot", why: expect.stringContaining("does not accept a call") as string },
    });
  });

  test("says so for calls that read system contracts", async () => {
    const beaconRoots = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
    const { first } = await runFirst({
      code: `0x5f5f5f5f5f${push(beaconRoots)}5af100`,
      accounts: { [beaconRoots]: { nonce: 1n, code: "0x00" } },
    });
    expect(first.unsupported).toBe("the call reads a system contract");
  });

  test.each<[string, Partial<Parameters<typeof makeSecondEngine>[0]>, string]>([
    ["there is none", { pool: undefined }, "no second engine is configured"],
    [
      "it cannot be started",
      { pool: { run: () => Promise.reject(new Error("no")), isServing: () => false } },
      "not available",
    ],
    ["it dies", { pool: { run: () => Promise.reject(new Error("gone")), isServing: () => true } }, "stopped"],
    [
      "it hangs",
      { pool: { run: () => new Promise(() => undefined), isServing: () => true }, timeoutMs: 50 },
      "too long",
    ],
  ])("says so if %s", async (_, given, because) => {
    const { first } = await runFirst({ code: "0x00" });
    expect(await engineOn(given).check(first)).toMatchObject({
      result: "cannot",
      why: expect.stringContaining(because) as string,
    });
  });

  test("is ended over its budget of CPU time, and answers the next call", async () => {
    const { first } = await runFirst({ code: "0x5b5f5f2050600056", call: { gas: "0x300000" } });
    expect(await engineOn({ budgetMs: 200 }).check(first)).toMatchObject({
      result: "cannot",
      why: expect.stringContaining("exceeded its limit") as string,
    });
    const { first: next } = await runFirst({ code: "0x00" });
    expect((await check(next)).result).toBe("agree");
  }, 60_000);
});

describe("the memory of many runs", () => {
  test("stays bounded, because the process is replaced, and no run fails for it", async () => {
    const { first } = await runFirst({ code: "0x5f546001015f5500" });
    const held: number[] = [];
    const before = pool.replacedThreads();
    while (pool.replacedThreads() < before + 2) {
      expect((await check(first)).result).toBe("agree");
      held.push(pool.heldMb());
    }
    // Twice the limit, and what it starts with.
    expect(Math.max(...held)).toBeLessThan(2 * 384 + 100);
    expect(held.length).toBeGreaterThan(40);
  }, 300_000);
});

describe("a planted difference", () => {
  /** Adds one to its slot, and logs the new value. */
  const counter: Hex = "0x5f546001015f555f545f5260205fa000";
  const given = { code: counter, target: { storage: { [slot(0)]: 41n } } };

  test("does not arise without one", async () => {
    const { first } = await runFirst(given);
    expect(first.result).toMatchObject({ succeeded: true, slots: [{ after: 42n }], logs: [{}] });
    expect((await check(first)).result).toBe("agree");
  });

  test.each<[string, (scene: EdrScene) => EdrScene, string]>([
    [
      "one slot before the run",
      (scene) => withAccount(scene, to, { storage: { [slot(0)]: "0x2a" } }),
      "slot",
    ],
    ["the sender's money", (scene) => withAccount(scene, from, { balance: "0x5" }), "not executable"],
    ["one byte of the code", (scene) => withCode(scene, "0x5f546002015f555f545f5260205fa000"), "log 1"],
    [
      "the base fee",
      ({ block, ...scene }) => ({ ...scene, block: { ...block, baseFeePerGas: block.baseFeePerGas + 1n } }),
      "balance",
    ],
    [
      "the gas of the call",
      ({ call, ...scene }) => ({ ...scene, call: { ...call, gas: "0x5300" } }),
      "outcome",
    ],
  ])("in what the second engine is given: %s", async (_, change, what) => {
    const { first } = await runFirst(given);
    const found = await check({ ...first, scene: change(first.scene) });
    expect(found).toMatchObject({ result: "differs", first: {}, second: {} });
    expect(JSON.stringify(found)).toContain(what);
    expect(lines.at(-1)).toContain("engines differ");
    expect(lines.at(-1)).not.toContain(to.slice(2));
  });

  const changes: readonly [string, (ran: Ran) => EngineResult][] = [
    ["the status", (ran) => ({ ...ran, succeeded: !ran.succeeded })],
    ["one unit of gas", (ran) => ({ ...ran, gasUsed: ran.gasUsed + 1n })],
    ["a log less", (ran) => ({ ...ran, logs: [] })],
    ["a byte of a log", (ran) => ({ ...ran, logs: ran.logs.map((one) => ({ ...one, data: slot(43) })) })],
    [
      "a wei",
      (ran) => ({ ...ran, balances: ran.balances.map((one) => ({ ...one, change: one.change + 1n })) }),
    ],
    ["a slot", (ran) => ({ ...ran, slots: ran.slots.map((one) => ({ ...one, after: one.after + 1n })) })],
    ["a slot more", (ran) => ({ ...ran, slots: [...ran.slots, { address: to, slot: slot(7), after: 1n }] })],
    ["a code", (ran) => ({ ...ran, codes: [{ address: to, after: slot(1) }] })],
    ["no execution", () => ({ kind: "not executable" })],
  ];
  test.each(changes)("in the result of the first engine: %s", async (_, change) => {
    const { first } = await runFirst(given);
    expect((await check({ ...first, result: change(first.result as Ran) })).result).toBe("differs");
  });
  test.each(changes)("in the result of the second engine: %s", async (_, change) => {
    const { first } = await runFirst(given);
    const wrapped: Pick<EdrPool, "run" | "isServing"> = {
      isServing: () => true,
      run: async (scene, options) => {
        const outcome = await pool.run(scene, options);
        return outcome.kind === "done" ? { ...outcome, result: change(outcome.result as Ran) } : outcome;
      },
    };
    const engine = engineOn({ pool: wrapped });
    expect((await engine.check(first)).result).toBe("differs");
    expect([engine.counts.agree(), engine.counts.differs(), engine.counts.cannot()]).toEqual([0, 1, 0]);
  });
});

const withAccount = (
  scene: EdrScene,
  address: Hex,
  members: Partial<EdrScene["accounts"][Hex]>,
): EdrScene => {
  const account = scene.accounts[address];
  if (account === undefined) throw new Error("there is no such account");
  return { ...scene, accounts: { ...scene.accounts, [address]: { ...account, ...members } } };
};

const withCode = (scene: EdrScene, code: Hex): EdrScene => ({
  ...scene,
  codes: Object.fromEntries(Object.keys(scene.codes).map((hash) => [hash, code])),
});
