import { keccak256 } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Simulation } from "../../../adapters/chain/index.ts";
import type { Hex } from "../../transaction.ts";
import { readSnapshot, takeSnapshot } from "./snapshot.ts";

const address = (at: number): Hex => `0x${at.toString(16).padStart(40, "0")}`;
const hash = (at: number): Hex => `0x${at.toString(16).padStart(64, "0")}`;
const [escrow, to, empty, library] = [address(0xe), address(0xa), address(2), address(3)];
const noCode = keccak256("0x");

function aChain(simulation: Partial<Simulation> = {}) {
  const asked: (readonly Hex[])[] = [];
  return {
    asked,
    simulate: async (): Promise<Simulation> => ({
      ...{
        block: 7n,
        succeeded: true,
        reason: null,
        gained: -5n,
        logs: [],
        touched: [escrow, to, empty, library],
        measured: [],
        time: 0n,
      },
      ...simulation,
    }),
    readCodeHashes: async (addresses: readonly Hex[], block: bigint) => {
      expect(block).toBe(7n);
      asked.push(addresses);
      return new Map(addresses.map((one) => [one, one === library ? hash(3) : noCode]));
    },
  };
}

const call = { from: escrow.toUpperCase().replace("0X", "0x") as Hex, to, value: 5n, data: "0x" as Hex };
const transfer: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const logs = [{ address: library, topics: [transfer, hash(0xe), hash(0xb)], data: hash(9) }];

describe("a snapshot", () => {
  test("has the code of everything reached, and of both ends even without code, in lower case", async () => {
    const { code, block } = await takeSnapshot(aChain(), call);
    expect({ code, block }).toEqual({
      code: { [escrow]: noCode, [to]: noCode, [library]: hash(3) },
      block: "7",
    });
  });

  test("has both ends also of a failing call", async () => {
    const failed = { succeeded: false, reason: "no", touched: [] };
    const { code, ...rest } = await takeSnapshot(aChain(failed), call);
    expect(Object.keys(code)).toEqual([to, escrow]);
    expect(rest).toMatchObject({ succeeded: false, reason: "no" });
  });

  test("survives storage as JSON", async () => {
    const taken = await takeSnapshot(aChain({ logs }), call);
    expect(taken.effects.out).toEqual([{ asset: library, id: null, party: address(0xb), amount: "9" }]);
    expect(readSnapshot(JSON.parse(JSON.stringify(taken)))).toEqual(taken);
  });

  test("is not taken when the node cannot be reached", async () => {
    const chain = { ...aChain(), simulate: () => Promise.reject(new Error("away")) };
    await expect(takeSnapshot(chain, call)).rejects.toThrow("away");
  });
});

describe("a stored snapshot", () => {
  test.each<[string, (taken: Record<string, unknown>) => unknown]>([
    ["nothing", () => null],
    ["a text", () => "succeeded"],
    ["an empty object", () => ({})],
    ["a list", (taken) => [taken]],
    ["no code", ({ code: _, ...rest }) => rest],
    ["no effects", ({ effects: _, ...rest }) => rest],
    ["something more", (taken) => ({ ...taken, more: true })],
    ["success as a text", (taken) => ({ ...taken, succeeded: "true" })],
    ["code at no address", (taken) => ({ ...taken, code: { here: hash(1) } })],
    ["code without a hash", (taken) => ({ ...taken, code: { [to]: "0x" } })],
    ["a number for an amount", (taken) => withOut(taken, { amount: 5 })],
    ["a balance that is no number", (taken) => ({ ...taken, gained: "some" })],
    ["a negative amount", (taken) => withOut(taken, { amount: "-5" })],
    ["an amount in another notation", (taken) => withOut(taken, { amount: "0x5" })],
    ["upper case", (taken) => withOut(taken, { party: `0x${"AB".repeat(20)}` })],
  ])("is rejected with %s", async (_, change) => {
    const taken = await takeSnapshot(aChain({ logs }), call);
    expect(() => readSnapshot(change(taken))).toThrow("is malformed");
  });

  const withOut = (taken: Record<string, unknown>, change: object) => {
    const effects = taken["effects"] as { readonly out: readonly object[] };
    return { ...taken, effects: { ...effects, out: [{ ...effects.out[0], ...change }] } };
  };
});
