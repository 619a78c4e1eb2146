import { encodeAbiParameters } from "viem/utils";
import { beforeAll, describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { coinbase, from, to, type TestAccount } from "../../test/build-witness.ts";
import { closeWitness, slotOf } from "../../test/close-witness.ts";
import { compileContracts } from "../../test/compile.ts";
import { quantity, word } from "../hex.ts";
import { sceneOf } from "../engine/scene.ts";
import { verifyWitness } from "../proof/verify-witness.ts";
import { simulate } from "./simulate.ts";

let contracts: ReturnType<typeof compileContracts>;
beforeAll(() => {
  contracts = compileContracts();
});
const other: Hex = `0x${"77".repeat(20)}`;
const implementationSlot: Hex = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** Answers every call with these bytes: CODECOPY of what follows these 14, then RETURN. */
const answering = (data: Hex): Hex => {
  const length = ((data.length - 2) / 2).toString(16).padStart(4, "0");
  return `0x61${length}600e60003961${length}6000f3${data.slice(2)}`;
};

async function simulated(
  accounts: Readonly<Record<Hex, TestAccount>>,
  call: { readonly to: Hex; readonly data?: Hex; readonly value?: Hex },
) {
  const all = { [from]: { balance: 10n ** 18n }, [coinbase]: { balance: 1n }, ...accounts };
  const witness = await closeWitness({
    ...{ accounts: all, call: { data: "0x", value: "0x0", ...call } },
    run: (scene, onMissing) => simulate(scene, { onMissing }),
  });
  // From the proven witness alone.
  return simulate(sceneOf(verifyWitness(witness)));
}
const token = (): TestAccount => ({
  nonce: 1n,
  code: contracts.codeOf("Token"),
  storage: { [slotOf(from, word(0n))]: 1_000n },
});
const transferTo = (target: Hex) => ({ to, data: contracts.encode("Token", "transfer", target, 100n) });

describe("a party", () => {
  test.each<[string, TestAccount | undefined, object]>([
    ["that was never used", undefined, { hasCode: false, delegate: null, isUsed: false }],
    ["that holds the native token", { balance: 1n }, { hasCode: false, delegate: null, isUsed: true }],
    ["that has sent a transaction", { nonce: 1n }, { hasCode: false, delegate: null, isUsed: true }],
    ["that is a contract", { nonce: 1n, code: "0x00" }, { hasCode: true, delegate: null, isUsed: true }],
    [
      "that delegates its code",
      { nonce: 1n, code: `0xef0100${"1a".repeat(20)}` },
      { hasCode: true, delegate: `0x${"1a".repeat(20)}`, isUsed: true },
    ],
  ])("%s is shown as it is before the call", async (_, account, expected) => {
    const given = { [to]: token(), ...(account === undefined ? {} : { [other]: account }) };
    expect((await simulated(given, transferTo(other))).parties).toEqual([{ address: other, ...expected }]);
    const paid = await simulated(account === undefined ? {} : { [other]: account }, {
      to: other,
      value: quantity(5),
    });
    expect(paid.parties).toEqual([{ address: other, ...expected }]);
  });

  test("is not the account itself", async () => {
    expect((await simulated({ [to]: token() }, transferTo(from))).parties).toEqual([]);
  });
});

describe("a token", () => {
  const named = (answer: Hex) => ({ [other]: { nonce: 1n, code: answering(answer) } });
  const symbolsWith = async (answer: Hex) =>
    (await simulated({ [to]: token(), ...named(answer) }, transferTo(other))).symbols;
  const text = (value: string): Hex => encodeAbiParameters([{ type: "string" }], [value]);

  test.each<[string, Hex, string]>([
    ["as a text", text("USDC"), "USDC"],
    ["as 32 bytes, as older tokens do", `0x4d4b52${"00".repeat(29)}`, "MKR"],
  ])("claims its symbol %s", async (_, answer, symbol) => {
    expect(await symbolsWith(answer)).toEqual([{ token: other, symbol }]);
  });

  test.each<[string, Hex]>([
    ["no text", word(0n)],
    ["a text that is too long", text("x".repeat(33))],
    ["a text that is cut off", text("USDC").slice(0, 130) as Hex],
  ])("claims none with %s", async (_, answer) => {
    expect(await symbolsWith(answer)).toEqual([]);
  });
});

test("a proxy that is executed is shown with its implementation", async () => {
  const implementation: Hex = `0x${"1a".repeat(20)}`;
  // Reads the slot, copies its calldata, delegates to the implementation and returns its answer.
  const proxy = `0x365f5f375f5f365f7f${implementationSlot.slice(2)}545af43d5f5f3e3d5ff3` as const;
  const found = await simulated(
    {
      [to]: {
        ...{ nonce: 1n, code: proxy },
        storage: { [slotOf(from, word(0n))]: 1_000n, [implementationSlot]: BigInt(implementation) },
      },
      [implementation]: { nonce: 1n, code: contracts.codeOf("Token") },
    },
    transferTo(other),
  );
  expect(found).toMatchObject({ kind: "ran", effects: { proxies: [{ address: to, implementation }] } });
});
