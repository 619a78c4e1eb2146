import { expect, test } from "vitest";
import { settlerAt, settlersOn } from "./zerox-settlers.ts";

test("computes the settlers that were deployed on mainnet", () => {
  expect(settlerAt(1, 4n)).toBe("0x07e594aa718bb872b526e93eed830a8d2a6a1071");
  expect(settlerAt(1, 6n)).toBe("0x70bf6634ee8cb27d04478f184b9b8bb13e5f4710");
  expect(settlerAt(1, 10n)).toBe("0xdf31a70a21a1931e02033dbba7deace6c45cfd0f");
  expect(settlerAt(1, 11n)).toBe("0xd07c4f45bc9b389d286cb094f97bb6ba45f4bb30");
});

test("derives different settlers for different chains", () => {
  const all = Object.values(settlersOn([1, 10, 8453])).flat();
  expect(new Set(all).size).toBe(all.length);
});
