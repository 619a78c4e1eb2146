import { expect, test } from "vitest";
import { identityOf } from "./identity.ts";

test("an object keeps its number, and no two share one", () => {
  const [one, other] = [{ a: 1 }, { a: 1 }];
  const number = identityOf(one);
  expect(identityOf(other)).not.toBe(number);
  expect(identityOf(one)).toBe(number);
});

test("what is not there has none", () => {
  expect(identityOf(undefined)).toBeUndefined();
});
