import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDecideApi,
  aPerson,
  aTransaction,
  registered,
  secondsFromNow,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let owner: Person;
beforeAll(async () => {
  api = await aDecideApi();
  owner = await aPerson(api);
});
afterAll(() => api.close());

const minutes = (count: number): number => count * 60;
const asked = [...registered, "verdictUndecided"] as const;

/** A transaction whose owner was asked so long ago, and which expires in so many minutes. */
async function waiting(askedAgo: number, left: number, after: readonly (typeof asked)[number][] = asked) {
  const made = await aTransaction(api, owner, { deadline: secondsFromNow(minutes(left)), after });
  await api.client.query(
    "update transactions set verdict_at = now() - make_interval(mins => $2) where id = $1",
    [made.id, askedAgo],
  );
  return made;
}
const eventsOf = async ({ id }: Transaction): Promise<readonly string[]> => {
  const { rows } = await api.client.query<{ event: string }>(
    "select event from account_events where transaction_id = $1 order by version",
    [id],
  );
  return rows.map(({ event }) => event);
};
const isReminded = async (transaction: Transaction): Promise<boolean> => {
  await api.remindOwners();
  return (await eventsOf(transaction)).includes("remind");
};

describe("the owner is reminded", () => {
  test.each([
    ["a day to decide, an hour left", 23 * 60, 59, true],
    ["a day to decide, more than an hour left", 22 * 60, 62, false],
    ["two hours to decide, half an hour left", 91, 29, true],
    ["two hours to decide, an hour left", 60, 59, false],
    ["asked a moment ago, with ten minutes to decide", 0, 10, false],
  ])("%s", async (_, askedAgo, left, expected) => {
    expect(await isReminded(await waiting(askedAgo, left))).toBe(expected);
  });

  test("once, and nothing else changes", async () => {
    const before = await waiting(600, 30);
    await api.remindOwners();
    await api.remindOwners();
    expect((await eventsOf(before)).filter((event) => event === "remind")).toHaveLength(1);
    const after = await api.store.find(before.requestHash);
    expect(after).toEqual({
      ...before,
      version: before.version + 1,
      verdictAt: expect.any(Date) as Date,
      remindedAt: expect.any(Date) as Date,
      updatedAt: expect.any(Date) as Date,
    });
  });

  test("of nothing that does not wait for the owner", async () => {
    expect(await isReminded(await waiting(600, 30, registered))).toBe(false);
    const decided = await aTransaction(api, owner, {
      ...{ deadline: secondsFromNow(60), after: [...registered, "verdictApproved", "userApproves"] },
    });
    expect(await isReminded(decided)).toBe(false);
    expect(await isReminded(await waiting(600, -1))).toBe(false);
  });
});
