import { describe, expect, test } from "vitest";
import type { Account, User } from "./account.ts";
import { rememberAccounts } from "./remember-accounts.ts";

const addressOf = (number: number): Account => `0x${number.toString(16).padStart(40, "0")}`;
const userOf = (account: Account): User => ({
  id: `of ${account}`,
  account,
  createdAt: new Date("2030-01-01T00:00:00Z"),
});

/** A caching store over one with these accounts, which records what it is asked. */
function setUp(...accounts: Account[]) {
  const record = { accounts: new Set(accounts), asked: [] as Account[], isAway: false };
  const { find } = rememberAccounts({
    find: async (account) => {
      record.asked.push(account);
      if (record.isAway) throw new Error("away");
      return record.accounts.has(account) ? userOf(account) : undefined;
    },
  });
  return { record, find };
}

const [first, second] = [addressOf(1), addressOf(2)];

describe("an account", () => {
  test("is looked up once, and each has its own user", async () => {
    const { record, find } = setUp(first, second);
    for (let time = 0; time < 3; time++) {
      expect(await find(first)).toEqual(userOf(first));
      expect(await find(second)).toEqual(userOf(second));
    }
    expect(record.asked).toEqual([first, second]);
  });

  test("that is missing is looked up each time, and found as soon as it has signed up", async () => {
    const { record, find } = setUp();
    for (let time = 0; time < 3; time++) expect(await find(first)).toBeUndefined();
    expect(record.asked).toHaveLength(3);
    record.accounts.add(first);
    expect(await find(first)).toEqual(userOf(first));
  });

  test("that signs up during a lookup is found by the next one", async () => {
    const { record, find } = setUp();
    const early = find(first);
    record.accounts.add(first);
    const late = find(first);
    expect([await early, await late]).toEqual([undefined, userOf(first)]);
    expect(await find(first)).toEqual(userOf(first));
  });

  test("is not confused with one whose lookup failed", async () => {
    const { record, find } = setUp(first);
    record.isAway = true;
    await expect(find(first)).rejects.toThrow("away");
    record.isAway = false;
    expect(await find(first)).toEqual(userOf(first));
  });
});

test("at most 10,000 accounts are kept: the one that was used longest ago is looked up again", async () => {
  const { record, find } = setUp(...Array.from({ length: 10_001 }, (_, number) => addressOf(number)));
  for (const account of record.accounts) await find(account);
  record.asked = [];
  await find(addressOf(10_000));
  await find(addressOf(0));
  expect(record.asked).toEqual([addressOf(0)]);
});
