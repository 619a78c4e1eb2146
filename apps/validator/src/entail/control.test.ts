/** Control by name, by place and by number; unnamed returns; readings under stricter rules. */
import { describe, expect, test } from "vitest";
import { MAX_UINT, type Effect } from "../effects.ts";
import type { Step } from "../intent.ts";
import { entail } from "./entail.ts";
import {
  aStep,
  aWorld,
  address,
  anEffect,
  bob,
  flow,
  mallory,
  portion,
  router,
  usdc,
} from "../../test/entail.ts";
import type { World } from "./world.ts";

const settled = (world: World): boolean => {
  const { comparisons, unlicensed, unmet, ambiguous } = entail(world);
  return (
    comparisons.every(({ outcome }) => outcome === "same") &&
    unlicensed.length + unmet.length + ambiguous.length === 0
  );
};

const old = "0x7777777777777777777777777777777777777777";
const verb = { word: "add owner", span: [0, 1] } as const;

const control = (admin: Partial<NonNullable<Step["admin"]>>): Step =>
  aStep({ acts: ["admin"], verb, admin: { kind: "add_owner", party: address(bob), span: [0, 1], ...admin } });
const done = (admin: Partial<NonNullable<Effect["admin"]>>): Effect =>
  anEffect({ act: "admin", admin: { kind: "add_owner", party: bob, ...admin } });
const three = { value: 3n, span: [0, 1] } as const;

describe("the threshold of a Safe", () => {
  test("is the one in the request", () => {
    expect(settled(aWorld([control({ threshold: three })], [done({ threshold: 3n })]))).toBe(true);
    expect(settled(aWorld([control({ threshold: three })], [done({ threshold: 1n })]))).toBe(false);
    expect(settled(aWorld([control({ threshold: three })], [done({ threshold: 4n })]))).toBe(false);
  });
  test("may be anything but one if the request does not state it", () => {
    expect(settled(aWorld([control({})], [done({ threshold: 2n })]))).toBe(true);
    expect(settled(aWorld([control({})], [done({ threshold: 1n })]))).toBe(false);
  });
  test("is never changed alone without a number", () => {
    const kind = "change_threshold";
    expect(
      settled(aWorld([control({ kind, party: null })], [done({ kind, party: null, threshold: 2n })])),
    ).toBe(false);
  });
});

describe("an owner who replaces another", () => {
  const kind = "swap_owner";
  const asked = control({ kind, replaced: address(old) });
  test("replaces the named one", () => {
    expect(settled(aWorld([asked], [done({ kind, replaced: old })]))).toBe(true);
    expect(settled(aWorld([asked], [done({ kind, replaced: mallory })]))).toBe(false);
    expect(settled(aWorld([asked], [done({ kind, party: mallory, replaced: old })]))).toBe(false);
  });
  test("does not replace one that is not named", () => {
    expect(settled(aWorld([control({ kind })], [done({ kind, replaced: old })]))).toBe(false);
  });
});

test("a trade without a named return may not bring an unknown token", () => {
  const asked = aStep({ acts: ["swap"], verb, gives: [portion("100", "USDC")] });
  const swapped = anEffect({
    act: "swap",
    gives: [flow(usdc, 100_000_000n)],
    gets: [flow(mallory, { least: 10n ** 18n, most: MAX_UINT })],
    receiver: "self",
    venue: "uniswap_v3",
    target: router,
  });
  expect(settled(aWorld([asked], [swapped]))).toBe(false);
});

const paid = anEffect({ gives: [flow(usdc, 100_000_000n)], receiver: bob });
const pay = aStep({ gives: [portion("100", "USDC")], to: [address(bob)] });

test("a name that the caller knows by another address is not the intended party", () => {
  const named = aStep({
    ...pay,
    to: [{ kind: "address", address: bob, called: "Ann", span: [0, 1] }],
  });
  expect(settled(aWorld([named], [paid]))).toBe(true);
  const known = [{ address: mallory, label: "Ann" }] as unknown as World["proposal"]["context"]["known"];
  expect(settled(aWorld([named], [paid], { context: { known } }))).toBe(false);
});

test("the one Safe that everything goes through is the owner's own account", () => {
  const safe = "0x8888888888888888888888888888888888888888";
  const asked = aStep({ ...pay, from: address(safe) });
  const world = aWorld([asked], [paid]);
  expect(settled({ ...world, reading: { ...world.reading, accounts: [safe] } })).toBe(true);
  expect(settled({ ...world, reading: { ...world.reading, accounts: [mallory] } })).toBe(false);
});

describe("a reading under stricter rules", () => {
  const wrong = aStep({ ...pay, to: [address(mallory)] });
  const others = [{ steps: [pay], tokens: [] }];
  test("counts if it leaves nothing open", () => {
    expect(settled(aWorld([wrong], [paid], { intent: { others } }))).toBe(true);
  });
  test("does not count otherwise", () => {
    expect(settled(aWorld([wrong], [paid, paid], { intent: { others } }))).toBe(false);
    expect(settled(aWorld([wrong], [anEffect({ ...paid, receiver: old })], { intent: { others } }))).toBe(
      false,
    );
  });
});

test("two payments to the same party must both happen", () => {
  const again = aStep({ ...pay, gives: [portion("7", "DAI")] });
  expect(settled(aWorld([pay, again], [paid]))).toBe(false);
});
