import { keccak256 } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { coinbase, from, to, type TestAccount } from "../../test/build-witness.ts";
import { closeWitness, slotOf } from "../../test/close-witness.ts";
import { compileContracts } from "../../test/compile.ts";
import { MissingState } from "../engine/stop.ts";
import { sceneOf } from "../engine/scene.ts";
import { quantity, word, zeroAddress } from "../hex.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import { hashResult } from "../result.ts";
import type { Call, Witness } from "../witness.ts";
import { compareEffects } from "./compare.ts";
import { findSwitches, perturb } from "./perturb.ts";

let contracts: ReturnType<typeof compileContracts>;
beforeAll(() => {
  contracts = compileContracts();
});
const token: Hex = `0x${"70".repeat(20)}`;
const options = { holders: [from] };
const isKnownCode = (hash: Hex) => hash === keccak256(contracts.codeOf("Token"));

type Given = {
  readonly target: TestAccount;
  readonly data: Hex;
  readonly call?: Partial<Call>;
  readonly hasSwitches?: boolean;
};
const captured = ({ target, data, call = {}, hasSwitches = false }: Given): Promise<Witness> =>
  closeWitness({
    accounts: {
      [from]: { balance: 10n ** 18n },
      [coinbase]: { balance: 1n },
      [token]: {
        ...{ nonce: 1n, code: contracts.codeOf("Token") },
        storage: {
          [slotOf(from, word(0n))]: 1_000n,
          [slotOf(to, word(0n))]: 1_000n,
          [slotOf(to, slotOf(from, word(1n)))]: 500n,
        },
      },
      [to]: { nonce: 1n, ...target },
    },
    call: { data, ...call },
    run: async (scene, onMissing) => {
      await perturb(scene, { ...options, onMissing });
      if (hasSwitches) await findSwitches(scene, { ...options, onMissing, isKnownCode });
    },
  });
const replay = async (witness: Witness) => perturb(sceneOf(verifyWitness(witness)), options);

/** The wallet has allowed the contract 500 of its 1,000 tokens. */
const pretender = (sign: number, limit: bigint, call: Partial<Call> = {}) =>
  captured({
    target: {
      code: contracts.codeOf("Pretender"),
      storage: { [word(0n)]: BigInt(token), [word(1n)]: BigInt(sign), [word(2n)]: limit },
    },
    ...{ data: contracts.encode("Pretender", "claim"), call, hasSwitches: sign === 11 },
  });
const gained = ({ effects }: Awaited<ReturnType<typeof replay>>) =>
  effects.balances.find(({ asset }) => asset.kind === "erc20")?.measured;

describe("a contract that behaves only when it is watched", () => {
  const parent = 24_000_000n;
  test.each<[string, { sign: number; limit?: bigint; knob: string; seen?: bigint }]>([
    ["the base fee", { sign: 0, knob: "fees" }],
    ["the gas price", { sign: 1, knob: "fees" }],
    ["the proposer", { sign: 2, knob: "coinbase" }],
    ["randomness that is 0", { sign: 3, knob: "randomness" }],
    ["the gas left", { sign: 4, knob: "gas" }],
    ["block hashes", { sign: 5, knob: "block hashes" }],
    ["the block's number", { sign: 6, limit: parent + 1n, knob: "number", seen: 1n }],
    ["the time", { sign: 7, limit: 1_790_000_100n, knob: "time", seen: 1n }],
    ["the block's gas limit", { sign: 8, knob: "gas limit" }],
    ["the proposer's balance", { sign: 9, knob: "coinbase" }],
  ])("by %s is noticed", async (_, { sign, limit = 0n, knob, seen = -500n }) => {
    const found = await replay(await pretender(sign, limit));
    expect(gained(found)).toBe(seen);
    expect(found.divergences.map((one) => one.knob)).toContain(knob);
    expect(found.divergences.every(({ isDrift }) => !isDrift)).toBe(true);
  });

  test("by chance is noticed", async () => {
    const { divergences, reads } = await replay(await pretender(10, 0n));
    expect(divergences.length).toBeGreaterThan(0);
    expect(reads).toContainEqual({ what: "PREVRANDAO", by: [to] });
  });

  test("by a switch in storage is found by turning it", async () => {
    const witness = await pretender(11, 1n);
    expect((await replay(witness)).divergences).toEqual([]);
    const scene = sceneOf(verifyWitness(witness));
    const found = await findSwitches(scene, { ...options, isKnownCode });
    expect(found.map(({ address, slot }) => [address, slot])).toContainEqual([to, word(2n)]);
    expect(found.every(({ address }) => address === to)).toBe(true);
  });
});

describe("an honest call", () => {
  const transfer = () => ({
    target: { code: contracts.codeOf("Token"), storage: { [slotOf(from, word(0n))]: 1_000n } },
    data: contracts.encode("Token", "transfer", token, 10n),
  });

  test("that reads nothing of its surroundings has no variants", async () => {
    expect(await replay(await captured(transfer()))).toMatchObject({ runs: 0, divergences: [], reads: [] });
  });

  test("that pays out what it holds for any gas and any block has no divergence", async () => {
    // Pays in both branches: the switch is on, so only GAS is read through the calls.
    const { runs, divergences } = await replay(await pretender(11, 1n, { gas: quantity(300_000) }));
    expect({ isVaried: runs > 0, divergences }).toEqual({ isVaried: true, divergences: [] });
  });

  test("that fails after its deadline has no divergence", async () => {
    const found = await replay(
      await captured({
        target: { code: contracts.codeOf("Dated"), storage: { [slotOf(from, word(0n))]: 1_000n } },
        data: contracts.encode("Dated", "transferBefore", 1_790_001_200n, token, 10n),
      }),
    );
    expect(found).toMatchObject({ runs: 6, divergences: [], effects: { outcome: { succeeded: true } } });
  });

  test("whose amount grows slowly with time drifts, and one that grows fast diverges", async () => {
    const growing = async (perSecond: bigint) => {
      const target = { code: contracts.codeOf("Growing") };
      const data = contracts.encode("Growing", "claim", perSecond);
      return (await replay(await captured({ target, data }))).divergences;
    };
    const slow = await growing(10n ** 9n);
    expect(slow).toHaveLength(6);
    expect(slow.every(({ isDrift }) => isDrift)).toBe(true);
    expect((await growing(10n ** 15n)).some(({ isDrift }) => !isDrift)).toBe(true);
  });
});

describe("a replay", () => {
  test("is the same bit for bit, and differs if one digit of the call does", async () => {
    const witness = await pretender(7, 1_790_000_100n);
    const again = JSON.parse(JSON.stringify(witness)) as Witness;
    const hash = hashResult(await replay(witness));
    expect(hashResult(await replay(again))).toBe(hash);
    const tip = quantity(BigInt(witness.call.maxPriorityFeePerGas) + 1n);
    const call = { ...witness.call, maxPriorityFeePerGas: tip };
    const other = sceneOf(verifyWitness({ ...witness, call }));
    expect(hashResult(await perturb(other, options))).not.toBe(hash);
  });

  test("of a witness that lacks state of a variant stops", async () => {
    const witness = await pretender(9, 0n);
    const accounts = Object.fromEntries(
      Object.entries(witness.accounts).filter(([address]) => address !== zeroAddress),
    );
    await expect(replay({ ...witness, accounts })).rejects.toThrow(MissingState);
  });
});

describe("two effects", () => {
  test("with amounts that cannot be measured in one of them differ", async () => {
    const { effects } = await replay(await pretender(11, 1n));
    const unmeasured = { ...effects, balances: effects.balances.map((one) => ({ ...one, measured: null })) };
    expect(compareEffects(effects, effects)).toBeNull();
    expect(compareEffects(effects, unmeasured)).toMatchObject({ isDrift: false });
  });

  test("with other control differ", async () => {
    const { effects } = await replay(await pretender(11, 1n));
    const control = [{ kind: "owner", address: to, to: token, by: "event" }] as const;
    expect(compareEffects(effects, { ...effects, control })).toMatchObject({ isDrift: false });
  });
});
