// The service's own transactions on a real chain, with killed processes and reorgs.
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { createTestClient, createWalletClient, http, publicActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inboxAbi } from "@countersign/contracts/abi";
import { ensureDeployed } from "@countersign/contracts/deploy";
import { makeLog } from "@countersign/platform/log";
import { devAccounts, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  waitUntil,
  type TestDatabase,
} from "@countersign/tools/testing";
import { makeInbox, type Inbox } from "../../adapters/inbox/index.ts";
import { makeOwnWallet, type OwnWallet } from "../../adapters/own-wallet/index.ts";
import { connectDatabase, type Database } from "../db/connect.ts";
import { makeOwnTransactionStore, type KeptTransaction, type OwnTransactionStore } from "./store.ts";
import {
  planRecord,
  purpose,
  record,
  standingOf,
  type InboxRecord,
  type stepsThat,
} from "../../../test/platform/own-wallet/record.ts";
import type { RecordOrder } from "../../../test/platform/own-wallet/record-worker.ts";

const dir = makeTempDir("send-once");
const supervisor = makeSupervisor({ logDir: dir });
const workerFile = fileURLToPath(
  new URL("../../../test/platform/own-wallet/record-worker.ts", import.meta.url),
);
const [deployerKey, recorderKey, otherKey, strangerKey] = devAccounts().map(
  ({ privateKey }) => privateKey,
) as [Hex, Hex, Hex, Hex];
const [deployer, recorder, other] = [deployerKey, recorderKey, otherKey].map((key) =>
  privateKeyToAccount(key),
) as [Account, Account, Account];
type Account = ReturnType<typeof privateKeyToAccount>;

let testDatabase: TestDatabase;
let database: Database;
let store: OwnTransactionStore;
let rpcUrl: string;
let chainId: number;
let address: Hex;
let inbox: Inbox;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  const [anvil, made] = await Promise.all([
    startAnvil({ supervisor, dir: `${dir}/anvil`, port }),
    makeTestDatabase(),
  ]);
  [testDatabase, rpcUrl, chainId] = [made, anvil.url, anvil.chainId];
  const recorders = [recorder.address, other.address];
  const file = `${dir}/deployment.json`;
  ({ inbox: address } = await ensureDeployed({
    file,
    rpcUrl,
    deployer,
    registrar: deployer.address,
    recorders,
  }));
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: testDatabase.url, poolSize: 4, log });
  store = makeOwnTransactionStore(database.db);
  inbox = makeInbox({ wallet: walletOf(recorderKey), address });
  // From here on a block is mined for each transaction, and when a test says so.
  await chain().setIntervalMining({ interval: 0 });
});
beforeEach(async () => {
  await chain().setAutomine(true);
  // So that no reorg reaches back before the test.
  await chain().mine({ blocks: 10 });
});
afterAll(async () => {
  await supervisor.stop();
  await database.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true, force: true });
});

const walletOf = (key: Hex, confirmations = 1): OwnWallet =>
  makeOwnWallet({
    chainId,
    rpcUrls: [rpcUrl],
    signer: async () => privateKeyToAccount(key),
    confirmations,
    pollMs: 100,
  });
const chain = () =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl), cacheTime: 0 }).extend(publicActions);
const countOf = ({ address: of }: Account = recorder) => chain().getTransactionCount({ address: of });
const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;
const aRecord = (): InboxRecord => ({ requestHash: hex(32), contentDigest: hex(32), inbox: hex(20) });
const keptFor = async ({ requestHash }: InboxRecord): Promise<KeptTransaction> => {
  const kept = await store.findLive({ purpose, subject: requestHash });
  if (kept === undefined) throw new Error("nothing is kept");
  return kept;
};
const statesOf = async ({ requestHash }: InboxRecord): Promise<readonly string[]> =>
  (
    await sql<{ state: string }>`
      select state from own_transactions where subject = ${requestHash} order by nonce`.execute(database.db)
  ).rows.map(({ state }) => state);

/** By another recorder. */
async function recordByOther({ requestHash, contentDigest, inbox: to }: InboxRecord): Promise<void> {
  const client = createWalletClient({ account: other, transport: http(rpcUrl) }).extend(publicActions);
  const call = { address, abi: inboxAbi, functionName: "record", chain: null } as const;
  const hash = await client.writeContract({ ...call, args: [requestHash, contentDigest, to] });
  await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
}

const takeBack = async (blocks: number): Promise<void> => {
  await chain().request({ method: "anvil_reorg", params: [blocks, []] } as never);
};

let lastWorker = 0;
function startWorker(records: readonly InboxRecord[], stopBefore?: string) {
  const order: RecordOrder = {
    ...{ databaseUrl: testDatabase.url, chainId, rpcUrl, address, key: recorderKey, records },
    ...(stopBefore === undefined ? {} : { stopBefore }),
  };
  const args = [workerFile, JSON.stringify(order)];
  return supervisor.start({ name: `worker-${++lastWorker}`, command: process.execPath, args, cwd: dir });
}

describe("processes", () => {
  test("killed between storing and sending: the next one sends the same transaction under the same nonce", async () => {
    const what = aRecord();
    const before = await countOf();
    const first = startWorker([what], "send, round 1");
    await waitUntil(
      "it is about to send",
      () => readFileSync(first.logFile, "utf8").includes("stopped before"),
      {
        child: first,
      },
    );
    await first.kill();
    const { hash, nonce } = await keptFor(what);
    expect([nonce, await countOf()]).toEqual([before, before]);
    const second = startWorker([what]);
    expect((await second.exited).reason).toContain("0");
    expect(await keptFor(what)).toMatchObject({ hash, nonce, state: "mined" });
    expect(await standingOf(inbox, what)).toBe("recorded");
    expect(await countOf()).toBe(before + 1);
  });

  test("killed between sending and reading the outcome: the next one finds it in its block", async () => {
    const what = aRecord();
    const before = await countOf();
    const first = startWorker([what], "outcome, round 1");
    await waitUntil("it has sent", async () => (await countOf()) === before + 1, { child: first });
    await first.kill();
    const { hash } = await keptFor(what);
    expect(await record({ store, inbox }, what)).toMatchObject({ state: "mined", hash });
    expect(await countOf()).toBe(before + 1);
  });

  test("concurrent ones never take a nonce twice, leave none out, and sign once for the same row", async () => {
    const before = await countOf();
    const [mine, yours, both] = [20, 20, 5].map((length) => Array.from({ length }, aRecord)) as [
      InboxRecord[],
      InboxRecord[],
      InboxRecord[],
    ];
    const workers = [startWorker([...mine, ...both]), startWorker([...both, ...yours])];
    await Promise.all(workers.map(({ exited }) => exited));
    const all = [...mine, ...yours, ...both];
    const nonces = (await Promise.all(all.map(keptFor))).map(({ nonce }) => nonce);
    expect(nonces.sort((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, at) => before + at));
    for (const what of all) expect(await standingOf(inbox, what)).toBe("recorded");
    for (const what of all) expect(await statesOf(what)).toEqual(["mined"]);
    expect(await countOf()).toBe(before + 45);
  });
});

describe("a reorg", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "of depth %i after the receipt: is detected, and the same transaction is mined again",
    async (depth) => {
      const what = aRecord();
      const before = await countOf();
      const sent = await record({ store, inbox }, what);
      if (sent.state !== "mined") throw new Error(sent.state);
      await chain().mine({ blocks: depth - 1 });
      expect(await inbox.wallet.finalityOf(sent)).not.toBe("missing");
      await takeBack(depth);
      expect(await inbox.wallet.finalityOf(sent)).toBe("missing");
      expect(await standingOf(inbox, what)).toBe("absent");
      expect(await inbox.entryOf(what.requestHash)).toBeUndefined();

      const again = await record({ store, inbox }, what);
      expect(again).toMatchObject({ state: "mined", hash: sent.hash });
      expect(await inbox.wallet.finalityOf(sent)).not.toBe("missing");
      expect(await standingOf(inbox, what)).toBe("recorded");
      expect(await statesOf(what)).toEqual(["mined"]);
      expect(await countOf()).toBe(before + 1);
    },
  );

  test("that removed several: the first flow that looks also sends the earlier ones, whose flows may be over", async () => {
    const all = [aRecord(), aRecord(), aRecord()];
    for (const what of all) await record({ store, inbox }, what);
    await takeBack(3);
    for (const what of all) expect(await standingOf(inbox, what)).toBe("absent");
    const [, , last] = all;
    if (last === undefined) throw new Error("no last one");
    await record({ store, inbox }, last);
    for (const what of all) expect(await standingOf(inbox, what)).toBe("recorded");
  });

  test("that finally gave the nonce to another transaction: signed again", async () => {
    const what = aRecord();
    const before = await countOf();
    const sent = await record({ store, inbox }, what);
    await takeBack(1);
    await spendNonce(before);
    const again = await record({ store, inbox }, what);
    expect(again.state).toBe("mined");
    expect(again).not.toMatchObject({ hash: (sent as { hash: Hex }).hash });
    expect(await statesOf(what)).toEqual(["displaced", "mined"]);
    expect(await standingOf(inbox, what)).toBe("recorded");
  });
});

/** Uses a nonce of the recorder for another transaction, and makes that final. */
async function spendNonce(nonce: number): Promise<void> {
  const client = createWalletClient({ account: recorder, transport: http(rpcUrl) });
  await client.sendTransaction({ to: recorder.address, nonce, chain: null });
  await chain().mine({ blocks: 5 });
}

describe("a nonce", () => {
  test("that another transaction finally used: signed again, once", async () => {
    const what = aRecord();
    const before = await countOf();
    const worker = startWorker([what], "send, round 1");
    await waitUntil("it is kept", () => keptFor(what), { child: worker });
    await worker.kill();
    const { hash } = await keptFor(what);
    await spendNonce(before);
    const sent = await record({ store, inbox }, what);
    expect(sent).toMatchObject({ state: "mined" });
    expect(await keptFor(what)).toMatchObject({ nonce: before + 1, state: "mined" });
    expect((await keptFor(what)).hash).not.toBe(hash);
    expect(await statesOf(what)).toEqual(["displaced", "mined"]);
    expect(await countOf()).toBe(before + 2);
  });

  test("that another transaction used, but not finally yet: nothing is signed", async () => {
    const what = aRecord();
    const before = await countOf();
    const kept = await sign(what);
    const client = createWalletClient({ account: recorder, transport: http(rpcUrl) });
    await client.sendTransaction({ to: recorder.address, nonce: before, chain: null });
    expect(await inbox.wallet.outcomeOf(kept)).toBeUndefined();
    await chain().mine({ blocks: 5 });
    expect(await inbox.wallet.outcomeOf(kept)).toEqual({ state: "displaced" });
    // So that no later nonce has to wait for it.
    await record({ store, inbox }, what);
  });
});

/** Takes a nonce and stores the signed transaction, as a flow does, but sends nothing. */
async function sign(what: InboxRecord): Promise<KeptTransaction> {
  const plan = await planRecord(inbox, what);
  if (typeof plan === "string") throw new Error(plan);
  await store.signOnce({ ...plan, purpose, subject: what.requestHash }, async () => "0xaccount");
  return keptFor(what);
}

describe("a request hash that is already recorded", () => {
  test("with the same digest and inbox: done, and nothing is signed", async () => {
    const what = aRecord();
    await recordByOther(what);
    const before = await countOf();
    expect(await record({ store, inbox }, what)).toEqual({ state: "unsent", reason: "recorded" });
    expect(await statesOf(what)).toEqual([]);
    expect(await countOf()).toBe(before);
    expect(await inbox.entryOf(what.requestHash)).toMatchObject({
      contentDigest: what.contentDigest,
      recorder: other.address,
    });
  });

  test.each(["contentDigest", "inbox"] as const)("with another %s: refused permanently", async (field) => {
    const what = aRecord();
    await recordByOther({ ...what, [field]: aRecord()[field] });
    expect(await record({ store, inbox }, what)).toEqual({ state: "unsent", reason: "taken" });
    expect(await standingOf(inbox, what)).toBe("taken");
    expect(await statesOf(what)).toEqual([]);
  });

  test("in any spelling of its digest and address", async () => {
    const what = aRecord();
    await recordByOther(what);
    const upper = (value: Hex): Hex => `0x${value.slice(2).toUpperCase()}`;
    const spelt = { ...what, contentDigest: upper(what.contentDigest), inbox: upper(what.inbox) };
    expect(await standingOf(inbox, spelt)).toBe("recorded");
  });

  test("after ours was signed: ours reverts, and the chain says which of the two it is", async () => {
    const [same, taken] = [aRecord(), aRecord()];
    await sign(same);
    await sign(taken);
    await recordByOther(same);
    await recordByOther({ ...taken, contentDigest: hex(32) });
    const sent = [record({ store, inbox }, same), record({ store, inbox }, taken)];
    await waitUntil("both are in blocks", async () => (await countOf()) > (await keptFor(taken)).nonce);
    // In a block, but a reorg could still replace it.
    expect(await inbox.wallet.outcomeOf(await keptFor(same))).toBeUndefined();
    await chain().mine({ blocks: 5 });
    expect(await Promise.all(sent)).toMatchObject([{ state: "reverted" }, { state: "reverted" }]);
    expect(await standingOf(inbox, same)).toBe("recorded");
    expect(await standingOf(inbox, taken)).toBe("taken");
    expect(await statesOf(same)).toEqual(["reverted"]);
  });
});

describe("sufficient depth", () => {
  test("is the requested number of blocks, including its own", async () => {
    const what = aRecord();
    const kept = await sign(what);
    await inbox.wallet.send(kept.bytes);
    // The node accepts it before it is in a block.
    await waitUntil("it is in a block", async () => (await countOf()) > kept.nonce);
    const wallet = walletOf(recorderKey, 2);
    expect(await walletOf(recorderKey).outcomeOf(kept)).toMatchObject({ state: "mined" });
    expect(await wallet.outcomeOf(kept)).toBeUndefined();
    expect(await wallet.finalityOf(kept)).not.toBe("missing");
    await chain().mine({ blocks: 1 });
    expect(await wallet.outcomeOf(kept)).toMatchObject({ state: "mined" });
  });

  test("is a final block, whatever number was requested", async () => {
    const what = aRecord();
    const kept = await sign(what);
    await inbox.wallet.send(kept.bytes);
    // The node accepts it before it is in a block.
    await waitUntil("it is in a block", async () => (await countOf()) > kept.nonce);
    const wallet = walletOf(recorderKey, 1_000);
    expect(await wallet.outcomeOf(kept)).toBeUndefined();
    await chain().mine({ blocks: 5 });
    expect(await wallet.outcomeOf(kept)).toMatchObject({ state: "mined" });
  });
});

test("a wallet that is not a recorder signs nothing and reports why", async () => {
  const what = aRecord();
  const stranger = makeInbox({ wallet: walletOf(strangerKey), address });
  await expect(planRecord(stranger, what)).rejects.toThrow("NotRecorder");
  expect(await statesOf(what)).toEqual([]);
});

test("does not plan on a node of another chain", async () => {
  const wallet = makeOwnWallet({
    ...{ chainId: 1, rpcUrls: [rpcUrl], signer: async () => privateKeyToAccount(recorderKey) },
  });
  await expect(planRecord(makeInbox({ wallet, address }), aRecord())).rejects.toThrow(
    "serves chain 11155111",
  );
});

test("no error contains a node's URL", async () => {
  const [port = 0] = await freePorts(1);
  const away = makeOwnWallet({
    chainId,
    rpcUrls: [`http://127.0.0.1:${port}/an-access-key`],
    signer: async () => privateKeyToAccount(recorderKey),
  });
  const failure = await away.send("0x02").catch((error: unknown) => error);
  expect(String(failure)).toContain("the home chain");
  expect(String(failure)).not.toContain("access-key");
  expect((failure as Error).cause).toBeUndefined();
});

// The last test: its nonce stays unused, so nothing of this wallet would be mined after it.
test("missing signed bytes end the flow instead of being signed again", async () => {
  const what = aRecord();
  const { hash } = await sign(what);
  const losing: OwnTransactionStore = { ...store, read: async () => undefined };
  const step = (<T>(_: string, effect: () => Promise<T>) => effect()) as ReturnType<typeof stepsThat>;
  await expect(record({ store: losing, inbox, step }, what)).rejects.toThrow(
    `the signed bytes of ${hash} are missing`,
  );
  expect(await statesOf(what)).toEqual(["signed"]);
});
