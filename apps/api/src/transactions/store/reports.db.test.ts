import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { newId } from "@countersign/platform/ids";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { aReport } from "../../../test/transactions/attestation.ts";
import { connectDatabase, type Database } from "../../platform/db/connect.ts";
import { bytesOf } from "../../platform/db/hex.ts";
import { begin } from "../lifecycle.ts";
import { insertTransaction } from "./insert.ts";
import { insertReports, readReport } from "./reports.ts";

const account = `0x${"a1".repeat(20)}` as const;
const receiver = `0x${"b0".repeat(20)}`;

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 4, log: makeLog({ app: "test", level: "silent" }) });
  await sql`insert into users (id, account) values (${newId()}, ${account})`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

async function aTransaction(): Promise<string> {
  const id = newId();
  const aWord = () => `0x${(newId() + newId()).replaceAll("-", "")}` as const;
  const policy = { requireUser: false, adminMayApprove: false, external: true };
  await insertTransaction(
    database.db,
    {
      ...{ id, account, escrow: account, requestHash: aWord(), chainId: 1, proposer: `jwt:${account}` },
      ...{ form: "standard", description: "Send 1 ETH", tx: { to: account, value: 1n, data: "0x" } },
      ...{ payload: null, signingHash: null, intentProvenance: "agent-claimed", salt: aWord() },
      ...{ deadline: new Date("2030-01-01"), serviceId: null, supersedes: null, extras: null },
      ...{ envelope: null, lifecycle: begin(1, policy) },
    },
    { watchedChains: new Set(), compactStorage: true },
  );
  return id;
}

const report = {
  ...(aReport() as object),
  context: {
    effects: [{ act: "transfer", receiver, to_chain: "10" }],
    net_effect: { leaves: [1] },
    lists: [],
  },
};

async function stored(isCompressed: boolean): Promise<string> {
  const id = await aTransaction();
  await insertReports(database.db, [{ id, account, report }], isCompressed);
  return id;
}

describe.each([
  ["compressed", true],
  ["as JSON", false],
])("a report that is stored %s", (_name, isCompressed) => {
  test("is read as it was given", async () => {
    expect(await readReport(database.db, await stored(isCompressed))).toEqual(report);
  });

  test("keeps its content when another is inserted", async () => {
    const id = await stored(isCompressed);
    await insertReports(database.db, [{ id, account, report: {} }], !isCompressed);
    expect(await readReport(database.db, id)).toEqual(report);
  });

  test("has the members that SQL reads", async () => {
    const { rows } = await sql<object>`
      select r.decision, kind, effects, net from reports, lateral (select coalesce(summary, report)) as c (c),
        lateral (select c->>'decision', c #>> '{assessment,kind}', c #> '{context,effects}', c #> '{context,net_effect}')
          as r (decision, kind, effects, net)
      where transaction_id = ${await stored(isCompressed)}`.execute(database.db);
    const { effects, net_effect: net } = report.context;
    expect(rows).toEqual([{ decision: "PASS", kind: "entailed", effects, net }]);
  });
});

test("both forms are inserted together", async () => {
  const ids = [await aTransaction(), await aTransaction()];
  const large = { reason: "a".repeat(2 * 1024 * 1024) };
  const reports = [report, large];
  await insertReports(
    database.db,
    ids.map((id, index) => ({ id, account, report: reports[index] })),
    true,
  );
  expect(await Promise.all(ids.map((id) => readReport(database.db, id)))).toEqual(reports);
});

test("a missing report is undefined", async () => {
  expect(await readReport(database.db, newId())).toBeUndefined();
});

describe("the database refuses", () => {
  const insert = async (columns: string, values: string): Promise<unknown> =>
    sql`insert into reports (transaction_id, account, ${sql.raw(columns)})
      values (${await aTransaction()}, ${account}, ${sql.raw(values)})`.execute(database.db);

  test.each([
    ["a report in no form", "report", "null"],
    ["a report in both forms", "report, compressed, dictionary, summary", "'{}', '\\x00', 1, '{}'"],
    ["compressed bytes without their dictionary", "compressed, summary", "'\\x00', '{}'"],
    ["compressed bytes without their summary", "compressed, dictionary", "'\\x00', 1"],
  ])("%s", async (_name, columns, values) => {
    await expect(insert(columns, values)).rejects.toThrow("reports_form");
  });
});

test("damaged bytes are an error, and not a report", async () => {
  const id = await aTransaction();
  await sql`insert into reports (transaction_id, account, compressed, dictionary, summary)
    values (${id}, ${account}, ${bytesOf("0x28b52ffd")}, 1, '{}')`.execute(database.db);
  await expect(readReport(database.db, id)).rejects.toThrow("damaged");
});
