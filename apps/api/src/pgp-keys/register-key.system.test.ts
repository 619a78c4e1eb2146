// Records a key on the chain with real parts: PostgreSQL, Restate, anvil, and a worker that is killed.
import { createServer } from "node:http";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { createWalletClient, http, keccak256, publicActions, type Hex } from "viem";
import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { accountRegistryAbi } from "@countersign/contracts/abi";
import { deployContracts } from "@countersign/contracts/deploy";
import { registerFlows } from "@countersign/platform/engine";
import { makeLog } from "@countersign/platform/log";
import { devAccounts, makeSupervisor, startAnvil, type Child } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  startTestRestate,
  waitUntil,
  type TestRestate,
} from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { makeFlowStore } from "../platform/flows/index.ts";
import { makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { registerKeyPurpose, type PgpKey } from "./pgp-key.ts";
import { makePgpKeyStore, type PgpKeyStore } from "./store.ts";
import { aKeyOwner, aPublicKey, register, type KeyOwner } from "../../test/pgp-keys.ts";

const dir = makeTempDir("register-key");
const supervisor = makeSupervisor({ logDir: dir });
const [deployer, registrar, ...people] = devAccounts().map(({ privateKey }) =>
  privateKeyToAccount(privateKey),
);
const registrarKey = devAccounts()[1]?.privateKey ?? "0x";
const mainFile = fileURLToPath(new URL("../main.ts", import.meta.url));

let restate: TestRestate;
let node: Awaited<ReturnType<typeof aGatedNode>>;
let chainUrl: string;
let registryAddress: Hex;
let api: TestApi;
let database: Database;
let store: PgpKeyStore;
let worker: Child;
let settings: Record<string, string>;

beforeAll(async () => {
  const [anvilPort = 0, workerPort = 0] = await freePorts(2);
  const [engine, anvil] = await Promise.all([
    startTestRestate(),
    startAnvil({ supervisor, dir: `${dir}/anvil`, port: anvilPort }),
  ]);
  restate = engine;
  chainUrl = anvil.url;
  if (deployer === undefined || registrar === undefined) throw new Error("no dev accounts");
  const deployment = await deployContracts({
    rpcUrl: chainUrl,
    deployer,
    registrar: registrar.address,
    recorders: [],
  });
  registryAddress = deployment.accountRegistry;
  node = await aGatedNode(chainUrl);
  const common = {
    ENGINE_INGRESS_URL: restate.ingressUrl,
    RPC_URLS: `11155111=${node.url}`,
    ACCOUNT_REGISTRY_ADDRESS: registryAddress,
    REGISTRAR_PRIVATE_KEY: registrarKey,
    SECRETS_KEY: randomBytes(32).toString("base64"),
  };
  api = await aTestApi(common);
  settings = {
    ...common,
    ROLE: "worker",
    DATABASE_URL: api.databaseUrl,
    ENGINE_IDENTITY_KEYS: restate.identityKey,
    WORKER_PORT: String(workerPort),
  };
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: api.databaseUrl, poolSize: 2, log });
  store = makePgpKeyStore(database.db, makeFlowStore(database.db));
  worker = await startWorker();
  const workerUrl = `http://127.0.0.1:${workerPort}`;
  await registerFlows({ adminUrl: restate.adminUrl, workerUrl, force: false });
});
afterEach(() => {
  node.open();
});
afterAll(async () => {
  await supervisor.stop();
  await restate.stop();
  await database.close();
  await api.close();
  await node.close();
});

async function startWorker(): Promise<Child> {
  const child = supervisor.start({
    name: "worker",
    command: process.execPath,
    args: [mainFile],
    cwd: dir,
    env: settings,
  });
  const listens = async (): Promise<void> => {
    const socket = connect(Number(settings["WORKER_PORT"]), "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  };
  await waitUntil("the worker listens", listens, { seconds: 30, child });
  return child;
}

type Gate = "eth_sendRawTransaction" | "eth_getTransactionReceipt";

/** A node that forwards everything, but holds matching requests while its gate is closed. */
async function aGatedNode(target: string) {
  let closed: Gate | undefined;
  let opened = Promise.withResolvers<undefined>();
  let kept = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      const { method } = JSON.parse(body) as { method: string };
      if (method === closed) {
        kept++;
        await opened.promise;
        // The worker that sent the request has been killed in the meantime.
        if (request.socket.destroyed) return;
      }
      const headers = { "content-type": "application/json" };
      const answer = await fetch(target, { method: "POST", headers, body });
      response.setHeader("content-type", "application/json").end(await answer.text());
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: (gate: Gate) => {
      [closed, kept, opened] = [gate, 0, Promise.withResolvers()];
    },
    open: () => {
      closed = undefined;
      opened.resolve(undefined);
    },
    kept: () => kept,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const chain = (account?: PrivateKeyAccount) =>
  createWalletClient({
    ...(account ? { account } : {}),
    transport: http(chainUrl),
    pollingInterval: 200,
  }).extend(publicActions);
const registrarCount = (blockTag: "latest" | "finalized" = "latest") =>
  chain().getTransactionCount({ address: registrar?.address ?? "0x", blockTag });
const recordOf = ({ wallet }: KeyOwner) =>
  chain().readContract({
    address: registryAddress,
    abi: accountRegistryAbi,
    functionName: "recordOf",
    args: [wallet.address],
  });

const until = (what: string, probe: () => Promise<boolean> | boolean) =>
  waitUntil(
    what,
    async () => {
      if (!(await probe())) throw new Error("not yet");
    },
    { seconds: 60 },
  );

async function keyOf({ wallet }: KeyOwner): Promise<PgpKey> {
  const key = await store.findCurrent(wallet.address.toLowerCase() as Hex);
  if (key === undefined) throw new Error("no key");
  return key;
}
const flowOf = async ({ id }: PgpKey): Promise<string | undefined> =>
  (await sql<{ status: string }>`select status from flows where key = ${id}`.execute(database.db)).rows[0]
    ?.status;
const finished = async (owner: KeyOwner): Promise<PgpKey> => {
  await until("the flow is finished", async () => (await flowOf(await keyOf(owner))) === "finished");
  return keyOf(owner);
};

const signedHashOf = async ({ id }: PgpKey): Promise<Hex | undefined> =>
  (await makeOwnTransactionStore(database.db).findLive({ purpose: registerKeyPurpose, subject: id }))?.hash;

async function expectRecorded(owner: KeyOwner, key: PgpKey): Promise<void> {
  expect(await recordOf(owner)).toMatchObject({
    fingerprint: `0x${key.fingerprint}`,
    signatureHash: keccak256(await owner.wallet.signMessage({ message: key.armoured })),
    byAccount: false,
  });
  expect(key.chainState).toBe("recorded");
  const receipt = await chain().getTransactionReceipt({ hash: key.transactionHash ?? "0x" });
  expect(receipt).toMatchObject({ status: "success", from: registrar?.address.toLowerCase() });
}

async function speakForItself(wallet: PrivateKeyAccount): Promise<void> {
  const client = chain(wallet);
  const hash = await client.writeContract({
    address: registryAddress,
    abi: accountRegistryAbi,
    functionName: "recordOwn",
    args: [`0x${"ab".repeat(20)}`],
    account: wallet,
    chain: null,
  });
  await client.waitForTransactionReceipt({ hash });
}

test("a registered key is recorded on the chain, and the answer shows its transaction", async () => {
  const owner = await aKeyOwner(api);
  const armoured = await aPublicKey();
  const before = await registrarCount();
  expect((await register(api, owner, armoured)).json()).toMatchObject({ transactionHash: null });
  const key = await finished(owner);
  await expectRecorded(owner, key);
  expect(await registrarCount()).toBe(before + 1);
  expect((await register(api, owner, armoured)).json()).toMatchObject({
    transactionHash: key.transactionHash,
  });
});

test("killed between signing and sending: the next worker sends the same signed transaction", async () => {
  const owner = await aKeyOwner(api);
  const before = await registrarCount();
  node.shut("eth_sendRawTransaction");
  await register(api, owner, await aPublicKey());
  await until("it is about to send", () => node.kept() > 0);
  await worker.kill();
  const signedHash = await signedHashOf(await keyOf(owner));
  expect(signedHash).toBeDefined();
  expect(await registrarCount()).toBe(before);
  node.open();
  worker = await startWorker();
  const key = await finished(owner);
  await expectRecorded(owner, key);
  expect(key.transactionHash).toBe(signedHash);
  expect(await registrarCount()).toBe(before + 1);
});

test("killed while it waits for the block: the next worker finds the transaction there", async () => {
  const owner = await aKeyOwner(api);
  const before = await registrarCount();
  node.shut("eth_getTransactionReceipt");
  await register(api, owner, await aPublicKey());
  await until("it asks for the receipt", () => node.kept() > 0);
  await worker.kill();
  await until("it is in a block", async () => (await registrarCount()) === before + 1);
  expect((await keyOf(owner)).transactionHash).toBeNull();
  node.open();
  worker = await startWorker();
  await expectRecorded(owner, await finished(owner));
  expect(await registrarCount()).toBe(before + 1);
});

test("replaced before it was signed: only the newest key is sent", async () => {
  const owner = await aKeyOwner(api);
  const before = await registrarCount();
  await worker.kill();
  await register(api, owner, await aPublicKey());
  const old = await keyOf(owner);
  await register(api, owner, await aPublicKey());
  worker = await startWorker();
  await expectRecorded(owner, await finished(owner));
  await until("the old key's flow is finished", async () => (await flowOf(old)) === "finished");
  expect(await store.read(old.id)).toMatchObject({ chainState: "replaced" });
  expect(await signedHashOf(old)).toBeUndefined();
  expect(await registrarCount()).toBe(before + 1);
});

test("another transaction took the nonce and is final: the key gets a second transaction, which is recorded", async () => {
  const owner = await aKeyOwner(api);
  const before = await registrarCount();
  node.shut("eth_sendRawTransaction");
  await register(api, owner, await aPublicKey());
  await until("it is about to send", () => node.kept() > 0);
  await worker.kill();
  const signedHash = await signedHashOf(await keyOf(owner));
  if (registrar === undefined) throw new Error("no registrar");
  await chain(registrar).sendTransaction({
    to: registrar.address,
    nonce: before,
    account: registrar,
    chain: null,
  });
  await until("that is final", async () => (await registrarCount("finalized")) === before + 1);
  node.open();
  worker = await startWorker();
  const key = await finished(owner);
  await expectRecorded(owner, key);
  expect(key.transactionHash).not.toBe(signedHash);
  expect(await registrarCount()).toBe(before + 2);
});

test("an account that recorded its own key is left alone, and nothing is parked", async () => {
  const [first, second] = people;
  if (first === undefined || second === undefined) throw new Error("no dev accounts");
  const before = await registrarCount();
  await speakForItself(first);
  const early = await aKeyOwner(api, first);
  await register(api, early, await aPublicKey());
  expect(await finished(early)).toMatchObject({ chainState: "recorded-by-account", transactionHash: null });
  expect(await registrarCount()).toBe(before);

  // The account records its key after our transaction is signed, so the registry refuses ours.
  const late = await aKeyOwner(api, second);
  node.shut("eth_sendRawTransaction");
  await register(api, late, await aPublicKey());
  await until("it is about to send", () => node.kept() > 0);
  await speakForItself(second);
  node.open();
  expect(await finished(late)).toMatchObject({ chainState: "recorded-by-account", transactionHash: null });
  expect(await registrarCount()).toBe(before + 1);
  expect(await recordOf(late)).toMatchObject({ byAccount: true });
});
