// Registrations on a real chain and a real database. The payloads are pinned to a map.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { sql } from "kysely";
import { createTestClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inboxAbi } from "@countersign/contracts/abi";
import { ensureDeployed } from "@countersign/contracts/deploy";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { devAccounts, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  waitUntil,
  type TestDatabase,
} from "@countersign/tools/testing";
import { registrationRootFrom } from "@countersign/wire";
import { cidOf, digestOf, readRegistrations } from "@countersign/wire/envelope";
import { makeInbox, type Inbox } from "../../adapters/inbox/index.ts";
import { makeOwnWallet } from "../../adapters/own-wallet/index.ts";
import { connectDatabase, type Database } from "../../platform/db/connect.ts";
import type { Hex } from "../../platform/db/hex.ts";
import { makeOwnTransactionStore } from "../../platform/own-wallet/index.ts";
import { makeFindRegistration } from "../attest/find-registration.ts";
import { begin } from "../lifecycle.ts";
import { makeRegistrationStore, makeTransactionStore, type TransactionStore } from "../store/index.ts";
import { makeTransition } from "../transition.ts";
import { makeRegistrar, type Registrar } from "./registrar.ts";

const dir = makeTempDir("registrar");
const supervisor = makeSupervisor({ logDir: dir });
const log = makeLog({ app: "test", level: "silent" });
const [deployer, recorder] = devAccounts().map(({ privateKey }) => privateKeyToAccount(privateKey)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
];
const account: Hex = `0x${"a1".repeat(20)}`;
const service: Hex = `0x${"5e".repeat(20)}`;
const aWord = (): Hex => `0x${randomBytes(32).toString("hex")}`;

let made: TestDatabase;
let database: Database;
let rpcUrl: string;
let address: Hex;
let inbox: Inbox;
let store: TransactionStore;
const pinned = new Map<string, Uint8Array>();

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  const [anvil, testDatabase] = await Promise.all([
    startAnvil({ supervisor, dir: `${dir}/anvil`, port }),
    makeTestDatabase(),
  ]);
  [made, rpcUrl] = [testDatabase, anvil.url];
  ({ inbox: address } = await ensureDeployed({
    ...{ file: `${dir}/deployment.json`, rpcUrl, deployer },
    ...{ registrar: deployer.address, recorders: [recorder.address] },
  }));
  database = connectDatabase({ url: made.url, poolSize: 8, log });
  const wallet = makeOwnWallet({
    ...{
      chainId: anvil.chainId,
      rpcUrls: [rpcUrl],
      signer: async () => recorder,
      confirmations: 1,
      pollMs: 100,
    },
  });
  inbox = makeInbox({ wallet, address });
  const { db } = database;
  store = makeTransactionStore({
    db,
    approvedSeconds: 7200,
    watchedChains: new Set(),
    compactStorage: true,
  });
  await sql`insert into users (id, account) values (${newId()}, ${account})`.execute(db);
  await sql`insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
    values (7, 11155111, 'Orion', ${service}, true, ${"ab".repeat(20)}, 'data:,')`.execute(db);
  // From here on a block is mined for each transaction, and when a test says so.
  await chain().setIntervalMining({ interval: 0 });
});
beforeEach(async () => {
  await chain().setAutomine(true);
  // So that no reorg reaches back before the test.
  await chain().mine({ blocks: 10 });
  await sql`update registrations set state = 'final'`.execute(database.db);
});
afterAll(async () => {
  await supervisor.stop();
  await database.close();
  await made.drop();
  rmSync(dir, { recursive: true, force: true });
});

const chain = () =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions);

type Options = { readonly isDown?: () => boolean; readonly sealLate?: () => Promise<boolean> };

/** One process. */
function aRegistrar({ isDown = () => false, sealLate = async () => true }: Options = {}): Registrar {
  const flows = { start: async () => undefined, wake: async () => undefined };
  return makeRegistrar({
    ...{ inbox, homeChainId: 11_155_111, atOnce: 1, log },
    registrations: makeRegistrationStore(database.db),
    ownTransactions: makeOwnTransactionStore(database.db),
    transition: makeTransition({ store, flows, poke: () => undefined }),
    sealLate,
    ipfs: {
      pin: async (bytes) => {
        if (isDown()) throw new Error("away");
        const digest = digestOf(bytes);
        pinned.set(digest, bytes);
        return { digest, cid: cidOf(digest) };
      },
    },
  });
}

type Proposal = { readonly id: string; readonly requestHash: Hex; readonly digest: Hex };

async function aProposal({ isSealed = true } = {}): Promise<Proposal> {
  const [requestHash, salt, id, bytes] = [aWord(), aWord(), newId(), randomBytes(40)];
  const digest = digestOf(bytes);
  await store.insert({
    ...{ id, account, escrow: account, requestHash, chainId: 1, proposer: `jwt:${account}`, salt },
    ...{ form: "standard", description: "Send 1 ETH", tx: { to: account, value: 1n, data: "0x" } },
    ...{
      payload: null,
      signingHash: null,
      intentProvenance: "agent-claimed",
      serviceId: 7,
      supersedes: null,
    },
    ...{ deadline: new Date(Date.now() + 3_600_000), extras: isSealed ? null : {} },
    lifecycle: begin(1, { requireUser: false, adminMayApprove: false, external: true }),
    envelope: isSealed ? { bytes, digest } : null,
  });
  return { id, requestHash, digest };
}
const several = (count: number): Promise<readonly Proposal[]> =>
  Promise.all(Array.from({ length: count }, () => aProposal()));

const rootsOnChain = async (): Promise<readonly { readonly root: Hex; readonly listDigest: Hex }[]> => {
  const events = await chain().getContractEvents({
    ...{ address, abi: inboxAbi, eventName: "RootRecorded", fromBlock: 0n, strict: true },
  });
  return events.map(({ args }) => args);
};
const registrationOf = ({ id, requestHash }: Proposal) =>
  makeFindRegistration({
    registrations: makeRegistrationStore(database.db),
    ownTransactions: makeOwnTransactionStore(database.db),
  })({ id, requestHash });
const phaseOf = async ({ requestHash }: Proposal) => (await store.find(requestHash))?.phase;
const makeDue = () =>
  sql`update registrations set sweep_at = now() - interval '1 second'`.execute(database.db);
const stateOf = async ({ id }: Proposal): Promise<string | undefined> =>
  (await makeRegistrationStore(database.db).findRegistrationOf(id))?.state;

test("those of a moment are registered by one transaction, and each can be proven", async () => {
  const before = await rootsOnChain();
  const all = await several(20);
  const { register } = aRegistrar();
  const results = await Promise.all(all.map(({ requestHash }) => register(requestHash)));
  expect(new Set(results)).toEqual(new Set(["registered"]));
  const added = (await rootsOnChain()).slice(before.length);
  expect(added).toHaveLength(1);
  const [{ root, listDigest } = { root: aWord(), listDigest: aWord() }] = added;
  const list = readRegistrations(pinned.get(listDigest) ?? new Uint8Array());
  expect(list?.entries.map((entry) => entry.requestHash).toSorted()).toEqual(
    all.map(({ requestHash }) => requestHash).toSorted(),
  );
  for (const one of all) {
    const { proof, transactionHash } = await registrationOf(one);
    const entry = { requestHash: one.requestHash, contentDigest: one.digest };
    expect(registrationRootFrom(service, entry, proof ?? [])).toBe(root);
    expect(transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(pinned.has(one.digest)).toBe(true);
    expect(await phaseOf(one)).toBe("REGISTERED");
  }
});

test("leaves out proposals that have ended and proposals that cannot be encrypted yet", async () => {
  const [good, ended, keyless] = [await aProposal(), await aProposal(), await aProposal({ isSealed: false })];
  await store.change({ id: ended.id }, () => ({ events: ["withdraw"] }));
  const { register } = aRegistrar({ sealLate: async () => false });
  const all = [good, ended, keyless].map(({ requestHash }) => register(requestHash));
  expect(await Promise.all(all)).toEqual(["registered", "over", "keyless"]);
});

test("one that cannot be encrypted for an error fails alone", async () => {
  const [good, broken] = [await aProposal(), await aProposal({ isSealed: false })];
  const { register } = aRegistrar({ sealLate: () => Promise.reject(new Error("broken key")) });
  const all = await Promise.allSettled([good, broken].map(({ requestHash }) => register(requestHash)));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("nothing is recorded before everything is pinned, and a repetition completes the same registration", async () => {
  const before = (await rootsOnChain()).length;
  let isDown = true;
  const { register } = aRegistrar({ isDown: () => isDown });
  const all = await several(3);
  const registerAll = () => Promise.allSettled(all.map(({ requestHash }) => register(requestHash)));
  expect((await registerAll()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await rootsOnChain()).toHaveLength(before);
  isDown = false;
  expect((await registerAll()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  expect(await rootsOnChain()).toHaveLength(before + 1);
});

test("several processes that register the same proposals record each once", async () => {
  const before = (await rootsOnChain()).length;
  const all = await several(10);
  const processes = [aRegistrar(), aRegistrar(), aRegistrar()];
  await Promise.all(
    processes.flatMap(({ register }, index) =>
      all.slice(index, 8 + index).map(({ requestHash }) => register(requestHash)),
    ),
  );
  const lists = (await rootsOnChain())
    .slice(before)
    .map(({ listDigest }) => readRegistrations(pinned.get(listDigest) ?? new Uint8Array()));
  const recorded = lists.flatMap((list) => list?.entries.map((entry) => entry.requestHash) ?? []);
  expect(recorded.toSorted()).toEqual(all.map(({ requestHash }) => requestHash).toSorted());
});

test("an interrupted registration is completed by the sweeper of another process", async () => {
  const one = await aProposal();
  await expect(aRegistrar({ isDown: () => true }).register(one.requestHash)).rejects.toThrow("away");
  const other = aRegistrar();
  expect(await other.follow()).toBe(0);
  await makeDue();
  expect(await other.follow()).toBe(1);
  await waitUntil("it is registered", async () => (await phaseOf(one)) === "REGISTERED");
});

test("one that a reorg removed is recorded again, with the same root; a final one is left alone", async () => {
  const [one, registrar] = [await aProposal(), aRegistrar()];
  await registrar.register(one.requestHash);
  const { root } = await registrationOf(one);
  await chain().request({ method: "anvil_reorg", params: [1, []] } as never);
  expect((await rootsOnChain()).map((event) => event.root)).not.toContain(root);
  await makeDue();
  await registrar.follow();
  await waitUntil("it is recorded again", async () =>
    (await rootsOnChain()).some((event) => event.root === root),
  );
  await chain().mine({ blocks: 200 });
  await waitUntil("it is final", async () => {
    await makeDue();
    await registrar.follow();
    return (await stateOf(one)) === "final";
  });
  await makeDue();
  expect(await registrar.follow()).toBe(0);
});
