import { expect, test } from "vitest";
import { MAX_UINT } from "../effects.ts";
import { showFlow } from "./show.ts";
import { aWorld, usdc } from "../../test/entail.ts";

const { registry } = aWorld([], []);
const show = (least: bigint, most: bigint): string =>
  showFlow({ kind: "token", address: usdc }, { least, most }, { chain: 1, registry });

test.each([
  ["an exact amount", 1_500_000n, 1_500_000n, "1.5 USDC"],
  ["a most", 0n, 2_000_000n, "up to 2 USDC"],
  ["a least", 1_000_000n, MAX_UINT, "at least 1 USDC"],
  ["whatever comes", 0n, MAX_UINT, "any amount of USDC"],
  ["what nobody means as a number", MAX_UINT, MAX_UINT, "an unlimited amount of USDC"],
])("%s is said in the words of a person", (_, least, most, said) => {
  expect(show(least, most)).toBe(said);
});
