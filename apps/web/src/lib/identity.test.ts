import { expect, test } from "vitest";
import { identityOf } from "./identity.ts";

test("returns a stable, unique number per object", () => {
  const [one, other] = [{ a: 1 }, { a: 1 }];
  const number = identityOf(one);
  expect(identityOf(other)).not.toBe(number);
  expect(identityOf(one)).toBe(number);
});

test("returns undefined for undefined", () => {
  expect(identityOf(undefined)).toBeUndefined();
});
