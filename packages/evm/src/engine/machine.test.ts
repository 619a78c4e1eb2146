import { encodeErrorResult, getContractAddress, keccak256, parseAbi } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { buildWitness, coinbase, from, gwei, to, type TestAccount } from "../../test/build-witness.ts";
import { noCode, quantity, word } from "../hex.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import type { Call } from "../witness.ts";
import { makeMachine, type MachineOptions } from "./machine.ts";
import { nextBaseFee } from "./next-block.ts";
import { runLimits } from "./outcome.ts";
import { sceneOf } from "./scene.ts";
import { LimitExceeded, MissingBlockHash, MissingState, NotExecutable } from "./stop.ts";
import type { Surrounding } from "./watched-opcodes.ts";

const rich = { balance: 10n ** 18n, nonce: 3n };
const precompiles = Array.from(
  { length: 17 },
  (_, at): Hex => `0x${(at + 1).toString(16).padStart(40, "0")}`,
);
type Given = {
  readonly code?: Hex;
  readonly storage?: TestAccount["storage"];
  readonly more?: Readonly<Record<Hex, TestAccount>>;
  readonly call?: Partial<Call>;
  readonly sender?: TestAccount;
  readonly absent?: readonly Hex[];
  readonly emptySlots?: Readonly<Record<Hex, readonly Hex[]>>;
  readonly options?: MachineOptions;
};
async function machineOf({
  code,
  storage,
  more,
  call,
  sender = rich,
  absent = [],
  emptySlots,
  options,
}: Given) {
  const target = { nonce: 1n, code: code ?? "0x", ...(storage === undefined ? {} : { storage }) };
  const witness = await buildWitness({
    accounts: { [from]: sender, [coinbase]: { balance: 1n }, [to]: target, ...more },
    absent: [...precompiles, ...absent],
    ...(call === undefined ? {} : { call }),
    ...(emptySlots === undefined ? {} : { emptySlots }),
  });
  return makeMachine(sceneOf(verifyWitness(witness)), options);
}
const run = async (given: Given) => (await machineOf(given)).run();
const price = 9n * gwei;
/** Bytecode, with spaces between instructions. */
const assemble = (...lines: readonly string[]): Hex => `0x${lines.join("").replaceAll(" ", "")}`;

describe("a run", () => {
  test("of a transfer moves the value and the fee, and burns the base fee", async () => {
    const outcome = await run({ call: { value: "0x5" } });
    expect(outcome).toMatchObject({ succeeded: true, gasUsed: 21_000n, fee: 21_000n * price, reason: null });
    expect(outcome.balances).toEqual([
      { address: from, change: -5n - 21_000n * price },
      { address: to, change: 5n },
      { address: coinbase, change: 21_000n * gwei },
    ]);
    expect(outcome).toMatchObject({ slots: [], codes: [], logs: [] });
  });

  test("is the same bit for bit each time", async () => {
    const code = assemble("44 6000 55", "42 6000 52 6020 6000 a0 00");
    const first = await run({ code });
    expect(await run({ code })).toEqual(first);
    expect(first.logs).toEqual([{ address: to, topics: [], data: word(1_790_000_012n) }]);
    expect(first.slots).toHaveLength(1);
  });

  test("changes slots, and lists only those that differ at the end", async () => {
    // Slot 1: 7 to 8. Slot 2: 5 to 0. Slot 3: written with the value it has.
    const code = assemble("6008 6001 55", "6000 6002 55", "6009 6003 55");
    const storage = { [word(1n)]: 7n, [word(2n)]: 5n, [word(3n)]: 9n };
    const { slots, gasUsed, succeeded } = await run({ code, storage });
    expect(succeeded).toBe(true);
    expect(slots).toEqual([
      { address: to, slot: word(1n), before: 7n, after: 8n },
      { address: to, slot: word(2n), before: 5n, after: 0n },
    ]);
    // 21,000, six pushes, two changes of cold slots, one that changes nothing, and the refund for a cleared slot.
    expect(gasUsed).toBe(21_000n + 18n + 5_000n + 5_000n + 2_200n - 4_800n);
  });

  test("that reverts changes nothing but the fee, and says why in printable text", async () => {
    const said = encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["no\u202eway"] }).slice(
      2,
    );
    const size = (said.length / 2).toString(16);
    // Stores 1, copies the end of the code to memory and reverts with it.
    const code = assemble("6001 6000 55", `60${size} 6011 6000 39 60${size} 6000 fd`, said);
    const outcome = await run({ code });
    expect(outcome).toMatchObject({ succeeded: false, reason: "no way", logs: [], slots: [] });
    expect(outcome.balances.map(({ address }) => address)).toEqual([from, coinbase]);
  });

  test("of more output than is kept says how much there was", async () => {
    const outcome = await run({ code: "0x6120006000f3" });
    expect(outcome.outputBytes).toBe(0x2000);
    expect(outcome.output).toHaveLength(2 + 2 * runLimits.outputBytes);
  });

  test("creates contracts, and reports their code", async () => {
    // Init code that returns one byte of memory: a contract whose code is 0x00.
    const code = assemble("64 60016000f3 6000 52 6005 601b 6000 f0 00");
    const created = getContractAddress({ from: to, nonce: 1n }).toLowerCase() as Hex;
    expect(await run({ code, absent: [created] })).toMatchObject({
      succeeded: true,
      codes: [{ address: created, before: noCode, after: keccak256("0x00") }],
    });
  });
});

describe("state that the witness does not contain", () => {
  test.each<[string, Hex, Hex, Hex | null]>([
    ["an account", `0x73${"77".repeat(20)}3100`, `0x${"77".repeat(20)}`, null],
    ["a slot", "0x60095400", to, word(9n)],
    ["a slot that is written", "0x6001600955", to, word(9n)],
  ])("stops the run: %s", async (_, code, address, slot) => {
    const failure = await run({ code, storage: { [word(1n)]: 1n } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MissingState);
    expect(failure).toMatchObject({ address, slot });
  });

  test("stops the run also inside a call whose failure the caller ignores", async () => {
    const inner: Hex = `0x${"77".repeat(20)}`;
    const code: Hex = `0x6000600060006000600073${inner.slice(2)}5af15000`;
    const more = { [inner]: { nonce: 1n, code: "0x60095400", storage: { [word(1n)]: 1n } } } as const;
    await expect(run({ code, more })).rejects.toThrow(`slot ${word(9n)} of ${inner}`);
  });

  test("is empty only in an account that is proven to have no storage", async () => {
    expect(await run({ code: "0x60095460005500" })).toMatchObject({ succeeded: true, slots: [] });
  });

  test("stops the run: the hash of a block that no header proves", async () => {
    const hashOf = (back: number): Hex => `0x60${back.toString(16).padStart(2, "0")}43034060005500`;
    const known = await run({ code: hashOf(2) });
    expect(known.slots).toMatchObject([{ after: BigInt(keccak256("0x01")) }]);
    await expect(run({ code: hashOf(3) })).rejects.toThrow(MissingBlockHash);
  });

  test("can be fetched while it runs", async () => {
    const stranger: Hex = `0x${"77".repeat(20)}`;
    const asked: (Hex | null)[] = [];
    const witness = await buildWitness({
      accounts: {
        [from]: rich,
        [coinbase]: {},
        [to]: { nonce: 1n, code: `0x73${stranger.slice(2)}3160005500` },
      },
      absent: [stranger],
    });
    const scene = sceneOf(verifyWitness(witness));
    const findAccount = (address: Hex) =>
      address === stranger && asked.length === 0 ? undefined : scene.source.findAccount(address);
    const onMissing = async (missing: MissingState) => void asked.push(missing.address);
    const machine = await makeMachine({ ...scene, source: { ...scene.source, findAccount } }, { onMissing });
    expect(await machine.run()).toMatchObject({ succeeded: true });
    expect(asked).toEqual([stranger]);
  });
});

describe("a transaction that cannot be in a block", () => {
  test.each<[string, Given]>([
    ["the sender cannot pay for the value", { call: { value: quantity(10n ** 18n) } }],
    ["the sender cannot pay for the gas", { sender: { balance: 1_000n } }],
    ["the gas does not cover the data", { call: { gas: quantity(20_000) } }],
    ["the maximum fee is below the base fee", { call: { maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" } }],
  ])("has no outcome: %s", async (_, given) => {
    await expect(run(given)).rejects.toThrow(NotExecutable);
  });
});

describe("limits", () => {
  test("stop an endless loop before its gas ends, or by the caller's budget", async () => {
    const call = { gas: quantity(2 ** 24) };
    let turns = 0;
    const checkBudget = () => {
      turns += 1;
      if (turns > 100) throw new LimitExceeded("CPU time");
    };
    await expect(run({ code: "0x5b600056", call, options: { checkBudget } })).rejects.toThrow("CPU time");
    expect(turns).toBe(101);
    await expect(run({ code: "0x5b600056", call })).rejects.toThrow(LimitExceeded);
  }, 60_000);

  test("stop a run with more logs than can be compared", async () => {
    // Logs nothing, for ever, until little gas is left.
    const code: Hex = "0x5b60006000a061c3505a11600057";
    await expect(run({ code, call: { gas: quantity(2_000_000) } })).rejects.toThrow("more logs");
  });

  test("let a call that nests as deep as its gas allows end", async () => {
    // Calls itself with all its gas.
    const code = assemble("6000 6000 6000 6000 6000 30 5a f1");
    expect(await run({ code, call: { gas: quantity(5_000_000) } })).toMatchObject({ succeeded: true });
  });

  test("fail a run that asks for more memory than its gas allows", async () => {
    const code = assemble("6301000000 6000 f3");
    expect(await run({ code })).toMatchObject({ succeeded: false, reason: "out of gas" });
  });
});

describe("a view", () => {
  test("sees the state after the run, and changes nothing", async () => {
    // With data: returns slot 0. Without: stores 5 there.
    const code: Hex = "0x36600a576005600055005b60005460005260206000f3";
    const machine = await machineOf({ code });
    expect(await machine.view(to, "0x01")).toBe(word(0n));
    await machine.run();
    expect(await machine.view(to, "0x01")).toBe(word(5n));
    expect(await machine.view(to, "0x")).toBeUndefined();
    expect(machine.state.listSlotChanges()).toHaveLength(1);
  });
});

describe("views", () => {
  test("share a limit of gas", async () => {
    // Hashes a kilobyte for ever.
    const machine = await machineOf({ code: assemble("5b 610400 6000 20 50 6000 56") });
    for (let count = 0; count < 32; count++) expect(await machine.view(to, "0x")).toBeUndefined();
    await expect(machine.view(to, "0x")).rejects.toThrow(LimitExceeded);
  });

  test("do not count as reads of the transaction", async () => {
    const reads: Surrounding[] = [];
    const machine = await machineOf({
      code: assemble("42 00"),
      options: { onRead: (what) => reads.push(what) },
    });
    await machine.view(to, "0x");
    expect(reads).toEqual([]);
    await machine.run();
    await machine.view(to, "0x");
    expect(reads).toEqual(["TIMESTAMP"]);
  });
});

describe("values of the surroundings that are read", () => {
  test.each<[Surrounding, Hex]>([
    ["ORIGIN", "0x3200"],
    ["GASPRICE", "0x3a00"],
    ["COINBASE", "0x4100"],
    ["TIMESTAMP", "0x4200"],
    ["NUMBER", "0x4300"],
    ["PREVRANDAO", "0x4400"],
    ["GASLIMIT", "0x4500"],
    ["SELFBALANCE", "0x4700"],
    ["BASEFEE", "0x4800"],
    ["BLOBBASEFEE", "0x4a00"],
    ["GAS", "0x5a00"],
    ["BLOCKHASH", "0x6001430340"],
    ["BALANCE", `0x73${"bb".repeat(20)}31`],
  ])("are reported with the code that reads them: %s", async (what, code) => {
    const reads: [Surrounding, Hex][] = [];
    await run({ code, options: { onRead: (name, by) => reads.push([name, by]) } });
    expect(reads).toContainEqual([what, to]);
  });
});

describe("the next block's base fee", () => {
  test.each([
    [8n * gwei, 60n, 30n, 8n * gwei],
    [8n * gwei, 60n, 0n, 7n * gwei],
    [8n * gwei, 60n, 60n, 9n * gwei],
    [7n, 60n, 60n, 8n],
    [7n, 0n, 0n, 7n],
  ])("follows EIP-1559: %#", (baseFeePerGas, gasLimit, gasUsed, next) => {
    expect(nextBaseFee({ baseFeePerGas, gasLimit, gasUsed })).toBe(next);
  });
});
