import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { newId } from "@countersign/platform/ids";
import { bearer } from "../../test/sign-in.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { anOwner, inDatabase, propose, withKey, type Owner, type Proposed } from "../../test/transactions.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeRetentionStore } from "../retention/index.ts";
import { eraseAccount } from "./erase.ts";

let api: TestApi;
let database: Database;
beforeAll(async () => {
  api = await aTestApi();
  // With the role of the service, as the command.
  database = connectDatabase({
    ...{ url: api.config.DATABASE_URL, poolSize: 2, log: makeLog({ app: "test", level: "silent" }) },
  });
});
afterAll(async () => {
  await database.close();
  await api.close();
});

async function erase(
  ...args: readonly string[]
): Promise<{ readonly known: boolean; readonly text: string }> {
  const lines: string[] = [];
  const store = makeRetentionStore(database.db);
  const known = await eraseAccount({ store, print: (line) => lines.push(line) }, args);
  return { known, text: lines.join("\n") };
}

const query = (sql: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> =>
  inDatabase(api, async (client) => (await client.query(sql, [...values])).rows as Record<string, unknown>[]);

const personal = [
  ...["sessions", "refresh_tokens", "contacts", "context_logs", "api_keys", "mandate_requests"],
  ...["notification_channels", "notifications", "connections", "oauth_grants", "mcp_sessions"],
];
const countPersonal = async (account: string): Promise<number> => {
  const counts = personal.map((table) => `select count(*)::int as n from ${table} where account = $1`);
  const rows = await query(`select sum(n)::int as n from (${counts.join(" union all ")}) all_of_them`, [
    account,
  ]);
  return Number(rows[0]?.["n"]);
};

/** An owner with something in the tables that are erased, and a proposal. */
async function anOwnerWithData(): Promise<Owner & { readonly account: string; readonly proposed: Proposed }> {
  const owner = await anOwner(api);
  const account = owner.wallet.address.toLowerCase();
  const headers = bearer(owner.who);
  const url = "/contacts/0x1111111111111111111111111111111111111111";
  expect((await api.http.send({ method: "PUT", url, payload: { name: "Alice" }, headers })).statusCode).toBe(
    200,
  );
  const [secret, channel] = [newId(), newId()];
  await query(
    `insert into secrets (id, purpose, kek_id, wrapped_key, nonce, ciphertext)
     values ($1, 'webhook', 'k', '\\x00', decode(repeat('00', 12), 'hex'), decode(repeat('00', 16), 'hex'))`,
    [secret],
  );
  await query(
    `insert into notification_channels (id, account, kind, target, description, types, agents, secret_id)
     values ($1, $2, 'webhook', 'https://a.example', '', '{}', '{}', $3)`,
    [channel, account, secret],
  );
  await query("insert into mandate_requests (id, account, agent, draft) values ($1, $2, 'key:x', '{}')", [
    newId(),
    account,
  ]);
  const proposed = (await propose(api, owner, { contextLogs: { asked: "by chat" } })).json<Proposed>();
  return { ...owner, account, proposed };
}

const end = (account: string): Promise<unknown> =>
  query("update transactions set phase = 'REJECTED', final = true where account = $1", [account]);

test("deletes what no proof rests on, of this account only, and says what remains", async () => {
  const [owner, other] = [await anOwnerWithData(), await anOwnerWithData()];
  await end(owner.account);
  const before = await countPersonal(other.account);

  const { known, text } = await erase(owner.wallet.address);
  expect(known).toBe(true);
  expect(text).toContain("1 contacts, 1 conversations, 1 API keys");
  expect(text).toMatch(/Remaining: 1 proposals, .* events/);
  expect(text).toContain("unpin");
  expect(await countPersonal(owner.account)).toBe(0);
  expect(await query("select from transactions where account = $1", [owner.account])).toHaveLength(1);
  expect(await query("select from account_events where account = $1", [owner.account])).not.toHaveLength(0);
  // The secret of its channel went with it, and that of the other owner's stayed.
  expect(await query("select from secrets where purpose = 'webhook'", [])).toHaveLength(1);
  expect(await countPersonal(other.account)).toBe(before);
});

test("ends the access of sessions and keys within a second or two", async () => {
  const owner = await anOwnerWithData();
  await end(owner.account);
  const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await api.http.send({ url: `/transactions/${owner.proposed.requestHash}`, headers })).statusCode;
  expect([await ask(bearer(owner.who)), await ask(withKey(owner.key))]).toEqual([200, 200]);
  await erase(owner.account);
  // Processes remember a key for a second.
  await expect
    .poll(async () => [await ask(bearer(owner.who)), await ask(withKey(owner.key))], { timeout: 5_000 })
    .toEqual([401, 401]);
});

test("deletes nothing while a proposal is open", async () => {
  const owner = await anOwnerWithData();
  const before = await countPersonal(owner.account);
  expect((await erase(owner.account)).text).toContain(`1 proposals of ${owner.account} are open`);
  expect(await countPersonal(owner.account)).toBe(before);
});

test("deletes nothing of an unknown account, and may be repeated", async () => {
  expect((await erase(`0x${"ef".repeat(20)}`)).text).toContain("There is no account");
  const owner = await anOwnerWithData();
  await end(owner.account);
  await erase(owner.account);
  expect((await erase(owner.account)).text).toContain("0 contacts");
});

test("an argument that is no account is refused", async () => {
  expect((await erase()).known).toBe(false);
  expect((await erase("alice")).known).toBe(false);
});
