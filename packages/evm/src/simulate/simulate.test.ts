import { encodeAbiParameters } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { coinbase, from, to, type TestAccount } from "../../test/build-witness.ts";
import { closeWitness, slotOf } from "../../test/close-witness.ts";
import { compileContracts } from "../../test/compile.ts";
import { quantity, word } from "../hex.ts";
import { sceneOf } from "../engine/scene.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import { findFeed } from "./feeds.ts";
import { listMentions } from "./mentions.ts";
import { simulate } from "./simulate.ts";

let contracts: ReturnType<typeof compileContracts>;
beforeAll(() => {
  contracts = compileContracts();
});
const other: Hex = `0x${"77".repeat(20)}`;
const usdc: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const usdcFeed = findFeed(1n, usdc) ?? "0x";

type Given = {
  readonly contract?: string;
  readonly target?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly balance?: bigint;
  readonly more?: Readonly<Record<Hex, TestAccount>>;
};
/** The result of the run on a proven witness, which holds exactly what the run reads. */
async function simulated({ contract = "Token", target = to, data = "0x", value = 0n, ...given }: Given) {
  const accounts: Record<Hex, TestAccount> = {
    [from]: { balance: given.balance ?? 10n ** 18n },
    [coinbase]: { balance: 1n },
    [target]: {
      nonce: 1n,
      code: contracts.codeOf(contract),
      storage: { [slotOf(from, word(0n))]: 1_000n },
    },
    ...given.more,
  };
  const call = { to: target, data, value: quantity(value) };
  const run: Parameters<typeof closeWitness>[0]["run"] = (scene, onMissing) => simulate(scene, { onMissing });
  return simulate(sceneOf(verifyWitness(await closeWitness({ accounts, call, run }))));
}
const transfer = (amount: bigint) => contracts.encode("Token", "transfer", other, amount);
const erc20 = (token: Hex) => ({ kind: "erc20", token });

describe("a simulation", () => {
  test("measures the sender and the accounts that the call names", async () => {
    const found = await simulated({ contract: "FeeToken", data: transfer(100n) });
    expect(found).toMatchObject({
      kind: "ran",
      holders: [from, other],
      held: [{ token: to, amount: 1_000n }],
    });
    expect(found.kind === "ran" && found.effects.balances).toEqual([
      { asset: erc20(to), holder: from, logged: -100n, measured: -100n, before: 1_000n, after: 900n },
      { asset: erc20(to), holder: other, logged: 100n, measured: 90n, before: 0n, after: 90n },
    ]);
  });

  test("measures a token that emits no event", async () => {
    const found = await simulated({ contract: "SilentToken", data: transfer(100n) });
    expect(found.kind === "ran" && found.effects.balances.map(({ measured }) => measured)).toEqual([
      -100n,
      100n,
    ]);
  });

  test("measures both sides of a payment of the native token", async () => {
    const found = await simulated({ target: other, contract: "Wrapped", value: 5n });
    expect(found.kind === "ran" && found.effects.balances).toContainEqual({
      ...{ asset: { kind: "native" }, holder: other, logged: null, measured: 5n },
      ...{ before: 0n, after: 5n },
    });
  });

  test("of a call that the sender cannot pay for is not a revert", async () => {
    const found = await simulated({ data: transfer(100n), balance: 5n });
    expect(found).toMatchObject({ kind: "not executable", held: [{ token: to, amount: 1_000n }] });
  });

  test("of a call that reverts keeps what the sender holds", async () => {
    const found = await simulated({ data: transfer(1_001n) });
    expect(found).toMatchObject({ kind: "ran", held: [{ token: to, amount: 1_000n }], prices: [] });
    expect(found.kind === "ran" && found.effects.outcome).toMatchObject({
      succeeded: false,
      reason: "too little",
    });
  });
});

describe("a price", () => {
  const headerTime = 1_790_000_000n;
  /** Answers every call with these words. */
  const answering = (answer: bigint, updatedAt: bigint): Hex => {
    const words = [1n, answer, updatedAt, updatedAt, 1n];
    const data = encodeAbiParameters(
      words.map(() => ({ type: "int256" as const })),
      words,
    ).slice(2);
    // CODECOPY of the 160 bytes behind these 12, then RETURN.
    return `0x60a0600c60003960a06000f3${data}`;
  };
  const priced = async (answer: bigint, updatedAt: bigint) => {
    const found = await simulated({
      ...{ target: usdc, data: transfer(100n) },
      more: { [usdcFeed]: { nonce: 1n, code: answering(answer, updatedAt) } },
    });
    return found.kind === "ran" ? found.prices : undefined;
  };

  test("comes from the feed of the asset that moves", async () => {
    expect(await priced(99_990_000n, headerTime)).toEqual([
      { asset: usdc, feed: usdcFeed, usd: 99_990_000n },
    ]);
  });

  test.each<[string, bigint, bigint]>([
    ["is more than a day old", 10n ** 8n, headerTime - 100_000n],
    ["is from the future", 10n ** 8n, headerTime + 100n],
    ["is zero", 0n, headerTime],
    ["is negative", -1n, headerTime],
  ])("is not used if it %s", async (_, answer, updatedAt) => {
    expect(await priced(answer, updatedAt)).toEqual([]);
  });

  test("is absent without a feed", async () => {
    expect(await simulated({ data: transfer(1n) })).toMatchObject({ kind: "ran", prices: [] });
    expect(findFeed(8_453n, usdc)).toBeUndefined();
  });
});

describe("the addresses of a call", () => {
  test("are the arguments that can be one, each once", () => {
    const data = `0xa9059cbb${[BigInt(other), 10n ** 20n, BigInt(other), 2n ** 256n - 1n, BigInt(from)]
      .map((value) => word(value).slice(2))
      .join("")}` as Hex;
    expect(listMentions(data)).toEqual([other, from]);
  });

  test("are at most 16, and none in a part of a word", () => {
    const many = Array.from({ length: 20 }, (_, at) => word(2n ** 150n + BigInt(at)).slice(2)).join("");
    expect(listMentions(`0x00000000${many}`)).toHaveLength(16);
    expect(listMentions("0x")).toEqual([]);
    expect(listMentions(`0x00000000${word(BigInt(other)).slice(2, 60)}`)).toEqual([]);
  });
});
