import { expect, test } from "vitest";
import { MAX_UINT } from "../effects.ts";
import { showFlow } from "./show.ts";
import { aWorld, usdc } from "../../test/entail.ts";

const { registry } = aWorld([], []);
const show = (least: bigint, most: bigint): string =>
  showFlow({ kind: "token", address: usdc }, { least, most }, { chain: 1, registry });

test.each([
  ["an exact amount", 1_500_000n, 1_500_000n, "1.5 USDC"],
  ["a maximum", 0n, 2_000_000n, "up to 2 USDC"],
  ["a minimum", 1_000_000n, MAX_UINT, "at least 1 USDC"],
  ["an open amount", 0n, MAX_UINT, "any amount of USDC"],
  ["an amount above any supply", MAX_UINT, MAX_UINT, "an unlimited amount of USDC"],
])("formats %s for the owner", (_, least, most, said) => {
  expect(show(least, most)).toBe(said);
});
