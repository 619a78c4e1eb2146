import { beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { coinbase, from, gwei, to, type TestAccount } from "../../test/build-witness.ts";
import { closeWitness, slotOf } from "../../test/close-witness.ts";
import { compileContracts } from "../../test/compile.ts";
import { addressIn, quantity, word } from "../hex.ts";
import { perturb } from "../perturb/perturb.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import { estimateGas } from "../simulate/estimate-gas.ts";
import { simulate } from "../simulate/simulate.ts";
import { limits, readWitness, type FollowingCall, type Witness } from "../witness.ts";
import { makeMachine } from "./machine.ts";
import type { Scene } from "./scene-type.ts";
import { sceneOf } from "./scene.ts";
import { NotExecutable } from "./stop.ts";

let contracts: ReturnType<typeof compileContracts>;
beforeAll(() => {
  contracts = compileContracts();
});
const other: Hex = `0x${"77".repeat(20)}`;
const gas = quantity(200_000);
const price = 9n * gwei;

type CallGiven = Partial<FollowingCall> & Pick<FollowingCall, "to">;
type Given = {
  readonly calls: readonly [CallGiven, ...CallGiven[]];
  readonly accounts?: Readonly<Record<Hex, TestAccount>>;
  readonly sender?: TestAccount;
  readonly signer?: Hex;
  readonly run?: (
    scene: Scene,
    onMissing: NonNullable<Parameters<typeof simulate>[1]>["onMissing"],
  ) => Promise<unknown>;
};

const whole = (call: CallGiven): FollowingCall => ({ value: "0x0", data: "0x", gas, ...call });

/** The proven scene of these calls. By default it holds what a simulation reads. */
async function sceneFor({
  calls,
  accounts = {},
  sender = { balance: 10n ** 18n },
  signer,
  run,
}: Given): Promise<Scene> {
  const [call, ...following] = calls.map(whole);
  const witness: Witness = await closeWitness({
    accounts: { [from]: sender, [coinbase]: { balance: 1n }, ...accounts },
    ...(call === undefined ? {} : { call }),
    following: following.length === 0 ? undefined : following,
    signer,
    run: run ?? ((scene, onMissing) => simulate(scene, { onMissing })),
  });
  return sceneOf(verifyWitness(witness));
}
const run = async (given: Given) => (await makeMachine(await sceneFor(given))).run();
const code = (text: string): TestAccount => ({ nonce: 1n, code: `0x${text.replaceAll(" ", "")}` });
const token = (): TestAccount => ({
  nonce: 1n,
  code: contracts.codeOf("Token"),
  storage: { [slotOf(from, word(0n))]: 1_000n },
});
const transfer = (amount: bigint, target: Hex = other): CallGiven => ({
  to,
  data: contracts.encode("Token", "transfer", target, amount),
});

describe("several calls", () => {
  test("are transactions of the sender, in their order, in one block", async () => {
    const outcome = await run({
      calls: [{ to: other, value: "0x5" }, transfer(100n), transfer(30n)],
      accounts: { [to]: token() },
    });
    expect(outcome).toMatchObject({ succeeded: true, calls: 3, relayer: null, reason: null });
    expect(outcome.gasOfEach).toHaveLength(3);
    expect(outcome.gasUsed).toBe(outcome.gasOfEach.reduce((sum, one) => sum + one, 0n));
    expect(outcome.fee).toBe(outcome.gasUsed * price);
    expect(outcome.logs).toHaveLength(2);
    expect(outcome.balances).toContainEqual({ address: other, change: 5n });
    expect(outcome.slots.map(({ before, after }) => after - before).sort()).toEqual([-130n, 130n]);
  });

  test("see what those before them have changed", async () => {
    const spender: Hex = `0x${"99".repeat(20)}`;
    // Takes 40 of the token from its caller.
    const data = contracts.encode("Token", "transferFrom", from, spender, 40n).slice(2);
    const length = (data.length / 2).toString(16);
    const take = `60${length} 602b 5f 39 5f 5f 60${length} 5f 5f 73${to.slice(2)} 5a f1 6029 57 5f 5f fd 5b 00 ${data}`;
    const accounts = { [to]: token(), [spender]: code(take) };
    const approve = { to, data: contracts.encode("Token", "approve", spender, 40n) };
    expect(await run({ calls: [{ to: spender }], accounts })).toMatchObject({ succeeded: false });
    const found = await simulate(
      await sceneFor({ calls: [approve, { to: spender, data: "0x00" }], accounts }),
    );
    expect(found).toMatchObject({ kind: "ran", account: from, divergences: [] });
    expect(found.kind === "ran" && found.effects.outcome.reason).toBeNull();
    expect(found.kind === "ran" && found.effects.balances).toEqual([
      expect.objectContaining({ holder: from, measured: -40n, before: 1_000n, after: 960n }),
      expect.objectContaining({ holder: spender, measured: 40n, before: 0n, after: 40n }),
    ]);
    expect(found.kind === "ran" && found.effects.approvals).toEqual([
      expect.objectContaining({ spender, before: 0n, after: 0n }),
    ]);
  });

  test("end at the first that fails, with its reason", async () => {
    const outcome = await run({
      calls: [transfer(100n), transfer(901n), { to: other, value: "0x5" }],
      accounts: { [to]: token() },
    });
    expect(outcome).toMatchObject({ succeeded: false, calls: 2, reason: "too little" });
    expect(outcome.balances.map(({ address }) => address)).not.toContain(other);
  });

  test("cannot be in a block if the account cannot pay for one of them", async () => {
    const most = quantity(10n ** 18n - 500_000n * 20n * gwei);
    const calls = [
      { to: other, value: most },
      { to: other, value: most },
    ] as const;
    await expect(run({ calls })).rejects.toThrow(NotExecutable);
    // The first call brings in an ether, which pays for the second.
    const giver = { ...code("5f 5f 5f 5f 67 0de0b6b3a7640000 33 5a f1 00"), balance: 10n ** 18n };
    const outcome = await run({
      calls: [
        { to, data: "0x00" },
        { to: other, value: quantity(15n * 10n ** 17n) },
      ],
      accounts: { [to]: giver },
    });
    expect(outcome.balances).toContainEqual({ address: other, change: 15n * 10n ** 17n });
  });

  test("pay for storage as transactions do: the original value is that before each of them", async () => {
    // Adds one to slot 0.
    const counter = { ...code("5f 54 6001 01 5f 55"), storage: { [word(0n)]: 7n } };
    const { gasOfEach, slots } = await run({
      calls: [
        { to, data: "0x00" },
        { to, data: "0x00" },
      ],
      accounts: { [to]: counter },
    });
    expect(slots).toMatchObject([{ before: 7n, after: 9n }]);
    expect(gasOfEach[1]).toBe(gasOfEach[0]);
  });

  test("share no transient storage, unless a wallet makes them in one transaction", async () => {
    // Adds one to transient slot 0, and stores it.
    const counter = { ...code("5f 5c 6001 01 80 5f 5d 5f 55"), storage: { [word(0n)]: 7n } };
    const calls = [
      { to, data: "0x00" },
      { to, data: "0x00" },
    ] as const;
    const scene = await sceneFor({ calls, accounts: { [to]: counter } });
    expect((await (await makeMachine(scene)).run()).slots).toMatchObject([{ after: 1n }]);
    const atOnce = await (await makeMachine({ ...scene, relayer: other })).run();
    expect(atOnce).toMatchObject({ slots: [{ after: 2n }], relayer: other, fee: 0n, calls: 2 });
  });

  test("are at most 64, of which none may be too large", async () => {
    const following = Array.from({ length: limits.calls }, () => whole({ to: other }));
    const { call: _, ...scene } = await sceneFor({ calls: [{ to: other }] });
    expect(scene.following).toBeUndefined();
    const witness = await closeWitness({
      ...{ accounts: { [from]: {} }, following: following.slice(1), run: async () => undefined },
    });
    expect(readWitness(witness)).toEqual(witness);
    expect(readWitness({ ...witness, following })).toBeUndefined();
    expect(readWitness({ ...witness, following: [] })).toBeUndefined();
    const large = whole({ to: other, data: `0x${"00".repeat(limits.calldataBytes)}` });
    expect(readWitness({ ...witness, following: following.slice(1).map(() => large) })).toEqual(
      expect.objectContaining({ version: 1 }),
    );
    expect(readWitness({ ...witness, following: [{ ...large, data: `${large.data}00` }] })).toBeUndefined();
    expect(readWitness({ ...witness, following: [{ ...whole({ to: other }), from }] })).toBeUndefined();
  });
});

describe("a wallet that makes several calls in one transaction", () => {
  test("is a variant with the same effects", async () => {
    const calls = [transfer(100n), { to: other, value: "0x5" }, transfer(30n)] as const;
    const scene = await sceneFor({ calls, accounts: { [to]: token() } });
    const found = await perturb(scene, { holders: [from] });
    expect(found).toMatchObject({ divergences: [], runs: 1 });
  });

  test("is no variant of calls that fail: some of them would have been made", async () => {
    const scene = await sceneFor({ calls: [transfer(100n), transfer(901n)], accounts: { [to]: token() } });
    expect(await perturb(scene, { holders: [from] })).toMatchObject({ divergences: [], runs: 0 });
  });

  test("is noticed by a contract that looks at who sends it", async () => {
    // Gives its caller an ether if the caller sends the transaction.
    const pill = {
      ...code("33 32 14 6007 57 00 5b 5f 5f 5f 5f 67 0de0b6b3a7640000 33 5a f1 00"),
      balance: 10n ** 18n,
    };
    const scene = await sceneFor({
      calls: [
        { to, data: "0x00" },
        { to: other, value: "0x5" },
      ],
      accounts: { [to]: pill },
    });
    const { effects, divergences } = await perturb(scene, { holders: [from] });
    expect(effects.balances).toMatchObject([{ measured: 10n ** 18n - 5n }]);
    expect(divergences).toMatchObject([{ knob: "wallet", isDrift: false }]);
  });

  test("changes nothing if one of them fails, and names it", async () => {
    const scene = await sceneFor({
      calls: [transfer(100n), transfer(901n), { to: other, value: "0x5" }],
      accounts: { [to]: token() },
    });
    const outcome = await (await makeMachine({ ...scene, relayer: other })).run();
    expect(outcome).toMatchObject({ succeeded: false, calls: 2, reason: "too little" });
    expect(outcome).toMatchObject({ logs: [], balances: [], slots: [], codes: [] });
  });

  test("keeps nothing of a contract that it creates and destroys", async () => {
    // Creates a contract whose creation code destroys it.
    const maker = code("61 33ff 5f 52 6002 601e 5f f0 00");
    const scene = await sceneFor({ calls: [{ to, data: "0x00" }, { to: other }], accounts: { [to]: maker } });
    for (const relayer of [undefined, other]) {
      const machine = await makeMachine(relayer === undefined ? scene : { ...scene, relayer });
      expect((await machine.run()).codes).toEqual([]);
    }
  });
});

describe("an account that is a contract", () => {
  const wallet = { balance: 10n ** 18n, nonce: 1n, code: "0x00" } as const;

  test("makes its calls in one transaction of another account, which pays for it", async () => {
    const outcome = await run({
      calls: [transfer(100n), { to: other, value: "0x5" }],
      ...{ accounts: { [to]: token() }, sender: wallet },
    });
    expect(outcome).toMatchObject({ succeeded: true, fee: 0n, calls: 2 });
    expect(outcome.relayer).toMatch(/^0x[0-9a-f]{40}$/);
    expect(outcome.balances).toEqual([
      { address: other, change: 5n },
      { address: from, change: -5n },
    ]);
  });

  test("is the caller that contracts see, and the other account is the sender", async () => {
    // Logs CALLER and ORIGIN.
    const scene = await sceneFor({
      calls: [{ to, data: "0x00" }],
      ...{ accounts: { [to]: code("33 5f 52 32 6020 52 6040 5f a0 00") }, sender: wallet },
    });
    const { logs, relayer } = await (await makeMachine(scene)).run();
    const [log] = logs;
    expect(addressIn(`0x${log?.data.slice(2, 66) ?? ""}`)).toBe(from);
    expect(addressIn(`0x${log?.data.slice(66) ?? ""}`)).toBe(relayer);
    const { divergences, runs } = await perturb(scene, { holders: [from] });
    expect([divergences, runs]).toEqual([[], 1]);
  });

  test("with a delegation (EIP-7702) sends its transactions itself", async () => {
    const outcome = await run({
      calls: [{ to: other, value: "0x5" }],
      sender: { balance: 10n ** 18n, code: `0xef0100${other.slice(2)}` },
    });
    expect(outcome).toMatchObject({ relayer: null, fee: 21_000n * price });
  });
});

describe("an account that gives a signature", () => {
  const owned = (owner: Hex): TestAccount => ({
    ...{ balance: 10n ** 18n, nonce: 1n, code: contracts.codeOf("OwnedAccount") },
    storage: { [slotOf(owner, word(0n))]: 1n },
  });

  test("makes the calls in a transaction of another account, and needs nothing for gas", async () => {
    const sender = { balance: 5n };
    const found = await simulate(
      await sceneFor({ calls: [{ to: other, value: "0x5" }], sender, signer: from }),
    );
    expect(found).toMatchObject({ kind: "ran", account: from, isSigned: true, holders: [from, other] });
    expect(found.kind === "ran" && found.effects.outcome).toMatchObject({ succeeded: true, fee: 0n });
  });

  test("makes a Safe act only if the Safe names it as an owner, and is measured as well", async () => {
    const given = { calls: [{ to: other, value: "0x5" }] as const, sender: owned(to) };
    expect(await simulate(await sceneFor({ ...given, signer: to }))).toMatchObject({
      ...{ account: from, isSigned: true, holders: [from, to, other] },
    });
    expect(await simulate(await sceneFor({ ...given, signer: other }))).toMatchObject({ isSigned: false });
    const plain = { calls: given.calls, signer: to };
    expect(await simulate(await sceneFor(plain))).toMatchObject({ isSigned: false });
    expect(await simulate(await sceneFor({ calls: given.calls }))).toMatchObject({ isSigned: null });
  });
});

describe("the gas of calls", () => {
  const estimated = async (given: Given) =>
    estimateGas(await sceneFor({ ...given, run: (scene, onMissing) => estimateGas(scene, { onMissing }) }));

  test("is what each uses after those before it, and need not be paid for", async () => {
    const calls = [transfer(100n), transfer(30n)] as const;
    const poor = { balance: 0n };
    const used = await estimated({ calls, accounts: { [to]: token() }, sender: poor });
    const { gasOfEach } = await run({ calls, accounts: { [to]: token() } });
    expect(used).toEqual(gasOfEach);
  });

  test("is not known of a call after one that fails, or that cannot be made", async () => {
    const accounts = { [to]: token() };
    expect(await estimated({ calls: [transfer(1_001n), transfer(1n)], accounts })).toHaveLength(1);
    expect(await estimated({ calls: [{ to: other, value: quantity(10n ** 19n) }] })).toEqual([]);
  });

  test("of a contract's calls is that of all of them", async () => {
    const sender = { nonce: 1n, code: "0x00" } as const;
    const used = await estimated({
      calls: [transfer(1n), transfer(2n)],
      ...{ accounts: { [to]: token() }, sender },
    });
    expect(used).toHaveLength(2);
    expect(used[0]).toBe(used[1]);
  });
});
