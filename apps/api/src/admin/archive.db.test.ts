import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTempDir } from "@countersign/tools/testing";
import { hashReport, readAttestation, recoverAttestationSigner } from "@countersign/wire";
import { makeArchive } from "../composition/archive.ts";
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
import { archiveMonth, type ArchiveParts } from "./archive.ts";

const dir = makeTempDir("archive");
let api: DecideApi;
let owner: Person;
let orion: { readonly headers: Record<string, string> };
let database: Database;
beforeAll(async () => {
  api = await aDecideApi();
  [owner, orion] = [await aPerson(api), await aServerKey(api, "orion")];
  const log = makeLog({ app: "api", level: "silent" });
  database = connectDatabase({ url: api.api.config.DATABASE_URL, poolSize: 2, log });
});
afterAll(async () => {
  await database.close();
  await api.close();
  rmSync(dir, { recursive: true });
});

const thisMonth = new Date().toISOString().slice(0, 7);
/** Next month, when this one is over. */
const later = new Date(Date.now() + 32 * 86_400_000);
const printed: string[] = [];
const partsOf = (changes: Partial<ArchiveParts> = {}): ArchiveParts => ({
  ...makeArchive({ ...api.api.config, INBOX_ADDRESS: domain.inbox }, database.db),
  now: () => later,
  print: (line) => void printed.push(line),
  ...changes,
});
type Line = { requestHash: string; attestation: unknown; report: object; reportHash: string };
const readArchive = (folder: string): readonly Line[] =>
  gunzipSync(readFileSync(join(folder, `receipts-${thisMonth}.ndjson.gz`)))
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

test("writes the receipts that the owner can read, whole and checkable, and none without a verdict", async () => {
  const service = await aService(api, { id: 7 });
  const request = { human_intent: "Send 1 ETH", metadata: {} };
  const bundle = gzipSync(JSON.stringify(request)).toString("base64");
  const report = aReport({ context: { inputs: { hash: hashReport(request), at: 1, configuration: "0x1" } } });
  const signed = await aTransaction(api, owner, { serviceId: 7, after: registered });
  const attestation = await anAttestation(signed, service.wallet, { reportHash: hashReport(report) });
  const posted = await post(api, signed, orion.headers, {
    decision: "APPROVED",
    attestation,
    report,
    bundle,
  });
  expect(posted.statusCode).toBe(201);
  const rejected = await aTransaction(api, owner, { after: registered });
  await post(api, rejected, orion.headers, { decision: "REJECTED", report: aReport() });
  const undecided = await aTransaction(api, owner, { after: registered });

  const folder = join(dir, "receipts");
  expect(await archiveMonth(partsOf(), [folder, thisMonth])).toBe(true);
  const lines = readArchive(folder);
  expect(lines.map(({ requestHash }) => requestHash)).toEqual([signed.requestHash, rejected.requestHash]);
  expect(lines.map(({ requestHash }) => requestHash)).not.toContain(undecided.requestHash);
  for (const line of lines) {
    const url = `/transactions/${line.requestHash}/receipt?bundle=1`;
    expect((await api.send({ url, headers: owner.jwt })).json()).toEqual(line);
    expect(hashReport(line.report)).toBe(line.reportHash);
  }
  const read = readAttestation(lines[0]?.attestation);
  expect(read && (await recoverAttestationSigner(read))).toBe(service.wallet.address.toLowerCase());
  expect(printed.join("\n")).toMatch(/2 receipts of .*\n2 of them can still change/);
});

test("leaves whole files that only their owner may read, with a hash, and the same ones when repeated", async () => {
  const folder = join(dir, "repeated");
  for (let run = 0; run < 2; run++) await archiveMonth(partsOf(), [folder, thisMonth]);
  const name = `receipts-${thisMonth}.ndjson.gz`;
  expect(readdirSync(folder).toSorted()).toEqual([name, `${name}.sha256`]);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const hash = createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex");
  expect(readFileSync(join(folder, `${name}.sha256`), "utf8")).toBe(`${hash}  ${name}\n`);
});

test("pages through a month, each receipt once", async () => {
  const total = 250;
  const ids = Array.from({ length: total }, (_, index) => String(index).padStart(4, "0"));
  const listVerdicts: ArchiveParts["store"]["listVerdicts"] = async (after, _, limit) =>
    ids
      .filter((id) => after.includes("-") || id > after)
      .slice(0, limit)
      .map((id) => ({ id, requestHash: `0x${id}`, final: true }));
  const readReceipt = async (requestHash: string) => ({ requestHash });
  const folder = join(dir, "pages");
  await archiveMonth(partsOf({ store: { listVerdicts }, readReceipt }), [folder, thisMonth]);
  expect(readArchive(folder).map(({ requestHash }) => requestHash)).toEqual(ids.map((id) => `0x${id}`));
});

test("a receipt that cannot be read ends it without a file under the final name", async () => {
  const folder = join(dir, "broken");
  const readReceipt = () => Promise.reject(new Error("the database went away"));
  await expect(archiveMonth(partsOf({ readReceipt }), [folder, thisMonth])).rejects.toThrow("went away");
  expect(readdirSync(folder)).not.toContain(`receipts-${thisMonth}.ndjson.gz`);
});

test.each([["2026-13"], ["2026"], [""], ["2999-01"]])("refuses the month %j", async (month) => {
  expect(await archiveMonth(partsOf(), [dir, month])).toBe(false);
});
test("refuses a month that is not over", async () => {
  expect(await archiveMonth(partsOf({ now: () => new Date() }), [dir, thisMonth])).toBe(false);
});
