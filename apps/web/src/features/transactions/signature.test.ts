import { expect, test } from "vitest";
import { usableUntil } from "./signature.ts";

test("names the latest expiry of a message, at any depth", () => {
  expect(usableUntil({ validAfter: "0", validBefore: "1800000000" })).toBe("Fri, 15 Jan 2027 08:00:00 GMT");
  expect(usableUntil({ details: [{ expiration: "1800000060" }, { expiration: "1" }] })).toBe(
    "Fri, 15 Jan 2027 08:01:00 GMT",
  );
  expect(usableUntil({ details: { expiration: "1800000060" }, sigDeadline: "1800000000" })).toBe(
    "Fri, 15 Jan 2027 08:01:00 GMT",
  );
});
test("says that a signature does not expire, or that no expiry was found", () => {
  expect(usableUntil({ deadline: (2n ** 256n - 1n).toString() })).toBe("Never expires");
  expect(usableUntil({ value: "1", deadline: null })).toMatch(/^No expiry found/);
});
