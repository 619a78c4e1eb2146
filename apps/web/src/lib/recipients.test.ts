import { describe, expect, test } from "vitest";
import { historyLine, knownAs } from "./recipients.ts";

const history = (more: object = {}) => ({
  ...({ role: "paid", executed: 0, byOwner: 0, signatures: 0, lastAt: null } as const),
  ...more,
});
const lastAt = "2026-11-03T12:00:00.000Z";

describe("historyLine", () => {
  test.each([
    [history(), 0, "First payment to this address."],
    [history({ role: "access" }), 0, "First time that this address gets access."],
    [history({ role: "called" }), 0, "First call to this contract."],
    [history(), 2, "No earlier payment to this address that we know of."],
    [history({ executed: 1, byOwner: 1, lastAt }), 0, "You paid this address once, on 3 Nov 2026."],
    [history({ executed: 4, byOwner: 4, lastAt }), 3, "You paid this address 4 times, last on 3 Nov 2026."],
    [
      history({ role: "access", executed: 1_200, byOwner: 1_200, lastAt }),
      0,
      "You gave this address access 1,200 times, last on 3 Nov 2026.",
    ],
    [
      history({ executed: 4, byOwner: 3, lastAt }),
      0,
      "Paid 4 times, last on 3 Nov 2026, 1 time without asking you.",
    ],
    [history({ executed: 4, lastAt }), 0, "Paid 4 times, last on 3 Nov 2026, all without asking you."],
    [history({ executed: 1, lastAt }), 0, "Paid once, on 3 Nov 2026, without asking you."],
    [
      history({ signatures: 2 }),
      0,
      "First payment to this address. 2 signatures for it may have been used too.",
    ],
  ])("%j, %i uncounted: %s", (of, uncounted, line) => {
    expect(historyLine(of, uncounted)).toBe(line);
  });
});

const alike = (more: object) => ({ address: "0x", name: null, own: false, executed: 0, ...more });

test.each([
  [alike({ own: true }), "your own wallet"],
  [alike({ name: "Alice" }), "“Alice” in your address book"],
  [alike({ name: "Alice", executed: 2 }), "“Alice” in your address book, used 2 times before"],
  [alike({ executed: 1 }), "an address used once before"],
  [alike({}), "an address that you know"],
])("knownAs %j: %s", (one, text) => {
  expect(knownAs(one)).toBe(text);
});
