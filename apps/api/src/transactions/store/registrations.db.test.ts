import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { registrationRoot, type Hex } from "@countersign/wire";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { newId } from "@countersign/platform/ids";
import { connectDatabase, type Database } from "../../platform/db/connect.ts";
import { bytesOf } from "../../platform/db/hex.ts";
import { begin } from "../lifecycle.ts";
import { makeRegistrationStore, type RegistrationStore } from "./registrations.ts";
import { insertTransaction } from "./insert.ts";

const account: Hex = `0x${"a1".repeat(20)}`;
const service: Hex = `0x${"5e".repeat(20)}`;
const aWord = (): Hex => `0x${randomBytes(32).toString("hex")}`;
const place = { chainId: 11_155_111, service, form: "root" } as const;

let made: TestDatabase;
let database: Database;
let store: RegistrationStore;
beforeAll(async () => {
  made = await makeTestDatabase();
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: made.url, poolSize: 8, log });
  store = makeRegistrationStore(database.db);
  await sql`insert into users (id, account) values (${newId()}, ${account})`.execute(database.db);
  await sql`insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
    values (7, 11155111, 'Orion', ${service}, true, ${"ab".repeat(20)}, 'data:,')`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await made.drop();
});
beforeEach(async () => {
  await sql`update registrations set state = 'final'`.execute(database.db);
});

type Proposal = { readonly id: string; readonly requestHash: Hex; readonly contentDigest: Hex };

async function aProposal({
  phase = "RECEIVED",
  isSealed = true,
  compactStorage = true,
} = {}): Promise<Proposal> {
  const [requestHash, digest, salt, id] = [aWord(), aWord(), aWord(), newId()];
  const policy = { requireUser: false, adminMayApprove: false, external: true };
  await insertTransaction(
    database.db,
    {
      ...{ id, account, escrow: account, requestHash, chainId: 1, proposer: `jwt:${account}`, salt },
      ...{ form: "standard", description: "Send 1 ETH", tx: { to: account, value: 1n, data: "0x" } },
      ...{
        payload: null,
        signingHash: null,
        intentProvenance: "agent-claimed",
        serviceId: 7,
        supersedes: null,
      },
      ...{ deadline: new Date(systemClock.now().getTime() + 3_600_000), extras: isSealed ? null : {} },
      lifecycle: begin(1, policy),
      envelope: isSealed ? { bytes: bytesOf(digest), digest } : null,
    },
    { watchedChains: new Set(), compactStorage },
  );
  if (phase !== "RECEIVED")
    await sql`update transactions set phase = ${phase} where id = ${id}`.execute(database.db);
  return { id, requestHash, contentDigest: digest };
}
const several = (count: number): Promise<readonly Proposal[]> =>
  Promise.all(Array.from({ length: count }, () => aProposal()));
const entriesOf = (all: readonly Proposal[]) =>
  all
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ requestHash, contentDigest }) => ({ requestHash, contentDigest }));
const idsOf = (all: readonly Proposal[]) => all.map(({ id }) => id);

describe("a new registration", () => {
  test("has the proposals in the order of their ids, and the root of their tree", async () => {
    const all = await several(5);
    const assigned = await store.assign(idsOf(all.toReversed()), place);
    expect(assigned).toMatchObject({ inbox: service, entries: entriesOf(all), form: "root", state: "open" });
    expect(assigned?.root).toBe(registrationRoot({ inbox: service, entries: entriesOf(all) }));
    expect(await store.findRegistration(assigned?.id ?? "")).toEqual(assigned);
    for (const { id } of all) expect(await store.findRegistrationOf(id)).toEqual(assigned);
    expect(
      new Set((await store.listEnvelopes(assigned?.id ?? "")).map((bytes) => bytes.toString("hex"))),
    ).toEqual(new Set(all.map(({ contentDigest }) => contentDigest.slice(2))));
  });
  test("has encrypted payloads of earlier versions, which are in the rows of their transactions", async () => {
    const all = [await aProposal(), await aProposal({ compactStorage: false })];
    const assigned = await store.assign(idsOf(all), place);
    const envelopes = await store.listEnvelopes(assigned?.id ?? "");
    expect(envelopes.map((bytes) => `0x${bytes.toString("hex")}`).toSorted()).toEqual(
      all.map(({ contentDigest }) => contentDigest).toSorted(),
    );
    const { rows } = await sql<{ id: string }>`
      select transaction_id as id from envelopes where transaction_id = any(${idsOf(all)}::uuid[])`.execute(
      database.db,
    );
    expect(rows).toEqual([{ id: all[0]?.id }]);
  });
  test("leaves out what has ended, what is not encrypted yet, and what is in another one", async () => {
    const [before, ended, unsealed, fresh] = [
      await aProposal(),
      await aProposal({ phase: "REJECTED" }),
      await aProposal({ isSealed: false }),
      await aProposal(),
    ];
    const first = await store.assign([before.id], place);
    const second = await store.assign(idsOf([before, ended, unsealed, fresh]), place);
    expect(second?.entries).toEqual(entriesOf([fresh]));
    expect(await store.findRegistrationOf(before.id)).toEqual(first);
    expect(await store.findRegistrationOf(ended.id)).toBeUndefined();
    expect(await store.assign(idsOf([before, ended, fresh]), place)).toBeUndefined();
  });
  test("of two made at once, each proposal is in one", async () => {
    const all = await several(12);
    const assigned = await Promise.all([
      store.assign(idsOf(all.slice(0, 8)), place),
      store.assign(idsOf(all.slice(4)), place),
      store.assign(idsOf(all.toReversed()), place),
    ]);
    const hashes = assigned.flatMap((one) => one?.entries.map(({ requestHash }) => requestHash) ?? []);
    expect(hashes.toSorted()).toEqual(all.map(({ requestHash }) => requestHash).toSorted());
  });
  test("cannot be changed by the service afterwards", async () => {
    const one = await aProposal();
    await store.assign([one.id], place);
    for (const change of [
      sql`delete from registered where transaction_id = ${one.id}`,
      sql`update registered set account = ${service} where transaction_id = ${one.id}`,
    ])
      await expect(change.execute(database.db)).rejects.toThrow("never changed");
  });
});

test("lists what a registration needs to know of proposals", async () => {
  const [fresh, unsealed] = [await aProposal(), await aProposal({ isSealed: false })];
  const assigned = await store.assign([fresh.id], place);
  const found = await store.listRegistrable([fresh.requestHash, unsealed.requestHash, aWord()]);
  expect(new Map(found.map((one) => [one.id, one]))).toEqual(
    new Map([
      [
        fresh.id,
        { ...fresh, form: "standard", phase: "RECEIVED", service, registrationId: assigned?.id ?? null },
      ],
      [
        unsealed.id,
        {
          ...{ ...unsealed, contentDigest: null, form: "standard", phase: "RECEIVED", service },
          registrationId: null,
        },
      ],
    ]),
  );
});

describe("a registration is looked at again", () => {
  const makeDue = () =>
    sql`update registrations set sweep_at = now() - interval '1 second'`.execute(database.db);
  const claim = async () => (await store.claimToFollow(10)).map(({ id, state }) => [id, state]);

  test("until it is final, each time after a pause", async () => {
    const id = (await store.assign([(await aProposal()).id], place))?.id ?? "";
    expect(await claim()).toEqual([]);
    await makeDue();
    expect(await claim()).toEqual([[id, "open"]]);
    expect(await claim()).toEqual([]);
    await store.noteState(id, "recorded");
    await makeDue();
    expect(await claim()).toEqual([[id, "recorded"]]);
    await store.noteState(id, "final");
    await makeDue();
    expect(await claim()).toEqual([]);
  });
  test("by one of several processes", async () => {
    for (let count = 0; count < 6; count++) await store.assign([(await aProposal()).id], place);
    await makeDue();
    const claimed = await Promise.all([claim(), claim(), claim()]);
    expect(claimed.flat().length).toBe(6);
    expect(new Set(claimed.flat().map(([id]) => id)).size).toBe(6);
  });
});
