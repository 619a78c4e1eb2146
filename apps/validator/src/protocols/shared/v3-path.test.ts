import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Hex } from "../../proposal.ts";
import { readV3Path, routeOf } from "./v3-path.ts";

const anAddress = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits): Address => `0x${digits}`);
const aFee = fc.integer({ min: 0, max: 0xffffff });

const pack = (tokens: readonly Address[], fees: readonly number[]): Hex =>
  `0x${tokens.map((token, i) => `${i === 0 ? "" : (fees[i - 1] ?? 0).toString(16).padStart(6, "0")}${token.slice(2)}`).join("")}`;

describe("readV3Path", () => {
  test("returns any route that was packed", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anAddress, aFee), { minLength: 2, maxLength: 9 }), (hops) => {
        const tokens = hops.map(([token]) => token);
        const fees = hops.slice(1).map(([, fee]) => fee);
        expect(readV3Path(pack(tokens, fees))).toEqual({ tokens, fees });
      }),
    );
  });

  test("rejects bytes of any other length", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (bytes) => {
        fc.pre(bytes < 43 || (bytes - 20) % 23 !== 0);
        expect(() => readV3Path(`0x${"ab".repeat(bytes)}`)).toThrow(
          "the route is not a list of tokens and fees",
        );
      }),
    );
  });
});

describe("routeOf", () => {
  const a: Address = `0x${"a".repeat(40)}`;
  const b: Address = `0x${"b".repeat(40)}`;

  test("rejects a route of fewer than two tokens", () => {
    expect(() => routeOf([a])).toThrow("the route has fewer than two tokens");
  });

  test("finds a fault in a hop from a token to itself, and none in a route that returns", () => {
    expect(routeOf([a, a, b]).faults.map(({ text }) => text)).toEqual([
      "the route goes from a token to itself",
    ]);
    expect(routeOf([a, b, a]).faults).toEqual([]);
  });
});
