// With the service's own database role: decisions cannot be rewritten, whatever the service does.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aReport,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  type DecideApi,
} from "../../../test/transactions/decide-api.ts";

let api: DecideApi;
let service: pg.Client;
let id: string;

beforeAll(async () => {
  api = await aDecideApi();
  const owner = await aPerson(api);
  const orion = await aServerKey(api, "orion");
  const { wallet, id: serviceId } = await aService(api);
  const transaction = await aTransaction(api, owner, { executionType: 2, serviceId, after: registered });
  const attestation = await anAttestation(transaction, wallet, { decision: "UNDECIDED" });
  const verdict = { decision: "UNDECIDED", attestation, report: aReport() };
  expect((await post(api, transaction, orion.headers, verdict)).statusCode).toBe(201);
  expect((await post(api, transaction, owner.jwt)).statusCode).toBe(201);
  await api.store.keepSnapshot(transaction, {});
  ({ id } = transaction);
  service = new pg.Client({ connectionString: api.api.config.DATABASE_URL });
  await service.connect();
}, 60_000);
afterAll(async () => {
  await service.end();
  await api.close();
});

/** All of it, as it can be read. */
const readAll = async (): Promise<unknown> => {
  const { rows } = await api.client.query(
    `select to_jsonb(t) as t, (select jsonb_agg(to_jsonb(a) order by a.id) from approvals a) as approvals,
       (select jsonb_agg(to_jsonb(e) order by e.id) from account_events e) as events,
       (select jsonb_agg(to_jsonb(r)) from reports r) as reports
     from transactions t where t.id = $1`,
    [id],
  );
  return rows;
};

const byId = "where transaction_id = $1";
const attempts: readonly (readonly [string, string])[] = [
  [
    "turn an approval into a rejection",
    `update approvals set decision = 'REJECTED' ${byId} and kind = 'user'`,
  ],
  [
    "turn a verdict into an approval",
    `update approvals set decision = 'APPROVED' ${byId} and kind = 'orion'`,
  ],
  ["replace an attestation", `update approvals set attestation = null ${byId}`],
  ["delete an approval", `delete from approvals ${byId}`],
  ["change an event", `update account_events set status = 'EXECUTED' ${byId}`],
  ["delete an event", `delete from account_events ${byId}`],
  ["change a report", `update reports set report = '{}' ${byId}`],
  ["change a compressed report", `update reports set compressed = '\\x00' ${byId}`],
  ["change the effects of a compressed report", `update reports set summary = '{}' ${byId}`],
  ["change an encrypted payload", `update envelopes set content = '\\x00' ${byId}`],
  ["change a snapshot", `update snapshots set taken = '{}' ${byId}`],
  ["change who was paid before", `update executed_parties set role = 'paid' ${byId}`],
  ["forget a payment", `delete from executed_parties ${byId}`],
  ["point a hash at another transaction", `update request_index set transaction_id = $1`],
  ["change the verdict of the transaction", "update transactions set orion = 'APPROVED' where id = $1"],
  ["take the verdict back", "update transactions set orion = null where id = $1"],
  ["change who is paid", "update transactions set to_address = '0x' || repeat('12', 20) where id = $1"],
  ["change how much is paid", "update transactions set value = value + 1 where id = $1"],
  ["change the calldata", "update transactions set data = '\\x01' where id = $1"],
  ["change what was asked", "update transactions set description = 'something else' where id = $1"],
  ["move it to another account", "update transactions set escrow = '0x' || repeat('12', 20) where id = $1"],
  ["move it to another chain", "update transactions set chain_id = 1 where id = $1"],
  ["extend its deadline", "update transactions set deadline = deadline + interval '1 day' where id = $1"],
  ["delete the transaction", "delete from transactions where id = $1"],
];
const withoutValues: readonly (readonly [string, string])[] = [
  ["truncate approvals", "truncate approvals"],
  ["truncate events", "truncate account_events"],
  ["disable the trigger", "alter table approvals disable trigger append_only"],
  ["drop the trigger", "drop trigger append_only on account_events"],
  [
    "replace its function",
    "create or replace function refuse_rewriting() returns trigger language plpgsql as $$ begin return new; end $$",
  ],
  ["drop the table", "drop table approvals"],
  ["make a table of the same name elsewhere", "create schema other"],
  ["give itself the right", "grant update on approvals to current_user"],
  ["become the owner", "set role postgres"],
  ["switch triggers off for the session", "set session_replication_role = replica"],
  ["pretend to have migrated", "insert into migrations (name, timestamp) values ('9999_x', '')"],
];

describe("PostgreSQL refuses the service's role to", () => {
  test.each(attempts)("%s", async (_name, statement) => {
    const before = await readAll();
    await expect(service.query(statement, [id])).rejects.toMatchObject({ code: "42501" });
    expect(await readAll()).toEqual(before);
  });
  test.each(withoutValues)("%s", async (_name, statement) => {
    const before = await readAll();
    // Granting a privilege one may not grant is a warning without effect.
    await service.query(statement).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "42501" });
    });
    const { rows } = await service.query<{ may: boolean }>(
      "select has_table_privilege(current_user, 'approvals', 'UPDATE') as may",
    );
    expect(rows).toEqual([{ may: false }]);
    expect(await readAll()).toEqual(before);
  });
});

describe("a trigger refuses also the owner of the tables to", () => {
  const rows = attempts.filter(([, statement]) =>
    /^(update|delete from) (approvals|account_events|reports|snapshots|request_index)/.test(statement),
  );
  test.each(rows)("%s", async (_name, statement) => {
    await expect(api.client.query(statement, [id])).rejects.toThrow("never changed or deleted");
  });
});

test("the service's role may do what the service does: the owner's rejection is recorded", async () => {
  const owner = await aPerson(api);
  const transaction = await aTransaction(api, owner, { after: registered });
  expect((await post(api, transaction, owner.jwt, { decision: "REJECTED" })).statusCode).toBe(201);
});
