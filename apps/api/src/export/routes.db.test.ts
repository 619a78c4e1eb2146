import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { makeTempDir, waitUntil } from "@countersign/tools/testing";
import { hashReport } from "@countersign/wire";
import { makeExport } from "../composition/export.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aReport,
  aServerKey,
  aService,
  aTransaction,
  domain,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../test/transactions/decide-api.ts";
import { leftOut, sections } from "./sections.ts";

let api: DecideApi;
let database: Database;
let service: Awaited<ReturnType<typeof makeService>>;
/** The accounts whose proposals are about to be read. */
const waiting = new Set<string>();
/** Proposals are read once this has resolved. */
let isReading: Promise<undefined> = Promise.resolve(undefined);
beforeAll(async () => {
  api = await aDecideApi();
  const log = makeLog({ app: "api", level: "silent" });
  const config = { ...api.api.config, INBOX_ADDRESS: domain.inbox };
  database = connectDatabase({ url: config.DATABASE_URL, poolSize: 3, log });
  const transactions: typeof api.store = {
    ...api.store,
    list: async (account, page) => {
      waiting.add(account);
      await isReading;
      return api.store.list(account, page);
    },
  };
  const { routes } = makeExport({ config, db: database.db, clock: systemClock, log, transactions });
  // The receipts of the test's transactions are about this Inbox.
  service = await makeService({ ...api.api.app.service, routes });
}, 60_000);
afterAll(async () => {
  await service.close();
  await database.close();
  await api.close();
});

type Line = { readonly kind: string; readonly data: Record<string, unknown> };
let lastAddress = 0;
const ask = (headers: Record<string, string>, remoteAddress = `10.9.0.${++lastAddress}`) =>
  service.inject({ url: "/export", headers: { ...headers, "x-forwarded-for": remoteAddress } });
async function exportOf({ jwt }: Pick<Person, "jwt">): Promise<readonly Line[]> {
  const answer = await ask(jwt);
  expect(answer.statusCode).toBe(200);
  return answer.body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}
const ofKind = (lines: readonly Line[], kind: string) =>
  lines.filter((line) => line.kind === kind).map(({ data }) => data);

/** A proposal that the owner's agent made, with a signed verdict. */
async function aVerdict(owner: Person) {
  const [{ wallet, id: serviceId }, orion] = [await aService(api), await aServerKey(api, "orion")];
  const request = { human_intent: "Send 0.001 ETH", metadata: {} };
  const report = aReport({ context: { inputs: { hash: hashReport(request), at: 1, configuration: "0x1" } } });
  const transaction = await aTransaction(api, owner, { serviceId, after: registered });
  const attestation = await anAttestation(transaction, wallet, { reportHash: hashReport(report) });
  const bundle = gzipSync(JSON.stringify(request)).toString("base64");
  const verdict = { decision: "APPROVED", attestation, report, bundle };
  expect((await post(api, transaction, orion.headers, verdict)).statusCode).toBe(201);
  return { transaction, signer: wallet.address };
}

describe("GET /export", () => {
  test("200: sends the account, what it has set up, and its events and proposals, as lines that end with their number", async () => {
    const owner = await aPerson(api);
    const transaction = await aTransaction(api, owner, { after: registered });
    const answer = await ask(owner.jwt);
    expect(answer.headers).toMatchObject({
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="countersign-export.ndjson"',
      "cache-control": "no-store",
    });
    const lines = await exportOf(owner);
    expect(lines[0]).toMatchObject({ kind: "export", data: { version: 1, account: owner.account } });
    expect(ofKind(lines, "account")).toMatchObject([{ account: owner.account }]);
    expect(ofKind(lines, "session")).toMatchObject([{ endedAt: null }]);
    expect(ofKind(lines, "apiKey")).toMatchObject([{ id: owner.agent.id, label: "agent" }]);
    expect(ofKind(lines, "event").map(({ event, requestHash }) => [event, requestHash])).toEqual(
      ["propose", "register"].map((event) => [event, transaction.requestHash]),
    );
    expect(ofKind(lines, "proposal")).toMatchObject([{ requestHash: transaction.requestHash }]);
    expect(ofKind(lines, "receipt")).toEqual([]);
    expect(lines.at(-1)).toEqual({ kind: "end", data: { lines: lines.length - 1 } });
  });

  test("200: a receipt verifies with the command line, with its inputs", async () => {
    const owner = await aPerson(api);
    const { transaction, signer } = await aVerdict(owner);
    const [receipt] = ofKind(await exportOf(owner), "receipt");
    expect(receipt).toMatchObject({ requestHash: transaction.requestHash, bundle: { version: 1 } });
    const file = join(makeTempDir("export"), "receipt.json");
    writeFileSync(file, JSON.stringify(receipt));
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(import.meta.dirname, "../../../cli/src/main.ts"),
      ...["verify", file, "--json", "--signer", signer],
      ...["--inbox", domain.inbox, "--chain", String(domain.chainId)],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ isValid: true });
  });

  test("200: has each of many proposals and events once", async () => {
    const owner = await aPerson(api);
    const made: string[] = [];
    for (let count = 0; count < 45; count++) made.push((await aTransaction(api, owner)).requestHash);
    await api.client.query(
      `insert into account_events (account, transaction_id, request_hash, version, event, status, phase)
       select account, id, request_hash, n, 'learn', 'PENDING', 'RECEIVED' from transactions, generate_series(2, 12) n
       where account = $1`,
      [owner.account],
    );
    const lines = await exportOf(owner);
    expect(ofKind(lines, "proposal").map(({ requestHash }) => requestHash)).toEqual(made.toReversed());
    const events = ofKind(lines, "event").map(({ id }) => id);
    expect([events.length, new Set(events).size]).toEqual([45 * 12, 45 * 12]);
  });

  test("200: has nothing of another account", async () => {
    const [owner, other] = [await aPerson(api), await aPerson(api)];
    await aTransaction(api, other, { after: registered });
    const text = (await ask(owner.jwt)).body.toLowerCase();
    expect(text).toContain(owner.account);
    for (const theirs of [other.account, other.agent.id, other.user.id]) expect(text).not.toContain(theirs);
  });

  test("401: a key is not the owner", async () => {
    const owner = await aPerson(api);
    expect((await ask(owner.agent.headers)).statusCode).toBe(401);
    expect((await ask((await owner.key("user")).headers)).statusCode).toBe(401);
  });

  test("409: one at a time for each account, and another one once it has ended", async () => {
    const [owner, other] = [await aPerson(api), await aPerson(api)];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    isReading = promise;
    const first = ask(owner.jwt);
    await waitUntil("the first one is being sent", async () => {
      if (!waiting.has(owner.account)) throw new Error("not yet");
    });
    expect((await ask(owner.jwt)).statusCode).toBe(409);
    const second = ask(other.jwt);
    resolve(undefined);
    expect((await first).statusCode).toBe(200);
    expect((await second).statusCode).toBe(200);
    expect((await ask(owner.jwt)).statusCode).toBe(200);
  });

  test("429: at most five a minute", async () => {
    const from = `10.9.1.${++lastAddress}`;
    const asked = await Promise.all(Array.from({ length: 6 }, () => ask({}, from)));
    expect(asked.map(({ statusCode }) => statusCode).toSorted()).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe("the sections", () => {
  test("have each table with an account, or a reason why not, and each of its columns", async () => {
    const { rows } = await api.client.query<{ table: string; columns: string[] }>(
      `select c.table_name as table, array_agg(c.column_name::text order by c.column_name) as columns
       from information_schema.columns c where c.table_schema = 'public'
       group by 1 having 'account' = any(array_agg(c.column_name::text)) order by 1`,
    );
    const exported = sections.map(({ table }) => table);
    expect([...exported, ...Object.keys(leftOut)].toSorted()).toEqual(rows.map(({ table }) => table));
    for (const { table, shows, omits = [] } of sections) {
      const columns = rows.find((row) => row.table === table)?.columns;
      expect([...new Set([...shows, ...omits, "account"])].toSorted(), table).toEqual(columns);
    }
  });

  test("have unique positions within an account", async () => {
    for (const { table, order } of sections) {
      const { rows } = await api.client.query<{ columns: string[] }>(
        `select array_agg(a.attname::text) as columns from pg_index i join pg_attribute a
           on a.attrelid = i.indrelid and a.attnum = any(i.indkey::smallint[])
         where i.indrelid = $1::regclass and i.indisunique and i.indpred is null group by i.indexrelid`,
        [table],
      );
      const position = new Set(["account", ...order]);
      expect(
        rows.some(({ columns }) => columns.every((column) => position.has(column))),
        table,
      ).toBe(true);
    }
  });
});
