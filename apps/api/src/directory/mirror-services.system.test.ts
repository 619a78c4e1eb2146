// The mirror with real parts: a chain whose blocks the test mines, an IPFS node, PostgreSQL. A gateway in front of
// the IPFS node can be told to return wrong bytes.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKey, readKey } from "openpgp";
import { createTestClient, http, publicActions, walletActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serviceRegistryAbi } from "@countersign/contracts/abi";
import { deployContracts, type Deployment } from "@countersign/contracts/deploy";
import { makeLog } from "@countersign/platform/log";
import { devAccounts, makeSupervisor, startAnvil, startIpfs } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { seedService } from "../../../../tools/seed/seed-service.ts";
import { makeIpfs, type Ipfs } from "../adapters/ipfs/index.ts";
import { makeServiceRegistry } from "../adapters/services/index.ts";
import { readPublicKey } from "../pgp-keys/index.ts";
import { startKeepingUp } from "./keep-up.ts";
import { makeMirrorServices } from "./mirror-services.ts";
import { anAddress, aTestDirectory, type TestDirectory } from "../../test/directory.ts";

const dir = makeTempDir("mirror-services");
const supervisor = makeSupervisor({ logDir: dir });
const chainId = 11_155_111;
const owner = privateKeyToAccount(devAccounts()[0]?.privateKey ?? "0x");

let directory: TestDirectory;
let rpcUrl: string;
let chain: ReturnType<typeof connect>;
let deployment: Deployment;
let ipfs: Ipfs;
let ipfsUrl: string;
let gateway: Awaited<ReturnType<typeof aGateway>>;
let mirrorServices: () => Promise<void>;
const logged: string[] = [];
const log = makeLog({ app: "api", level: "debug", to: { write: (line: string) => void logged.push(line) } });

const connect = (url: string) =>
  createTestClient({ mode: "anvil", account: owner, transport: http(url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

/** Forwards requests or answers with other bytes, and records the requests. */
async function aGateway(target: string) {
  const asked: string[] = [];
  const is = { lying: false, away: false };
  const server: Server = createServer((request, response) => {
    void (async () => {
      asked.push(request.url ?? "");
      if (is.away) {
        response.writeHead(503).end();
        return;
      }
      const answer = await fetch(`${target}${request.url ?? ""}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (is.lying) bytes[100] = (bytes[100] ?? 0) ^ 1;
      response.writeHead(answer.status).end(bytes);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    is,
    close: () => server.close(),
  };
}

const mirrorOf = ({
  rpcUrl: url = rpcUrl,
  ...options
}: { chainId?: number; rpcUrl?: string; address?: Hex } = {}) =>
  makeMirrorServices({
    registry: makeServiceRegistry({
      chainId,
      rpcUrls: [url],
      address: deployment.serviceRegistry,
      timeoutMs: 2_000,
      ...options,
    }),
    store: directory.services,
    readContent: (digest) => makeIpfs({ url: gateway.url }).read(digest, 32 * 1024),
    readPublicKey,
    clock: { now: () => new Date() },
    log,
  });

beforeAll(async () => {
  const [anvilPort = 0, ipfsPort = 0] = await freePorts(2);
  const [anvil, node, made] = await Promise.all([
    startAnvil({ supervisor, dir: `${dir}/anvil`, port: anvilPort }),
    startIpfs({ supervisor, dir: `${dir}/ipfs`, port: ipfsPort }),
    aTestDirectory(),
  ]);
  directory = made;
  rpcUrl = anvil.url;
  ipfsUrl = node.url;
  ipfs = makeIpfs({ url: ipfsUrl });
  gateway = await aGateway(ipfsUrl);
  chain = connect(rpcUrl);
});
afterAll(async () => {
  gateway.close();
  await directory.close();
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A new registry for each test. Afterwards blocks are mined only on demand. */
beforeEach(async () => {
  await chain.setIntervalMining({ interval: 1 });
  deployment = await deployContracts({ rpcUrl, deployer: owner, registrar: anAddress(), recorders: [] });
  await chain.setIntervalMining({ interval: 0 });
  await directory.client.query("delete from verification_services");
  gateway.is.lying = gateway.is.away = false;
  gateway.asked.length = logged.length = 0;
  mirrorServices = mirrorOf();
  await finalize();
});

const finalize = (): Promise<void> => chain.mine({ blocks: 4 });

type Call =
  | readonly ["register", readonly [Hex, Hex, string]]
  | readonly ["updateKey", readonly [bigint, Hex, string]]
  | readonly ["setActive", readonly [bigint, boolean]];
/** Sends it into a block that is not final. */
async function send([functionName, args]: Call): Promise<Hex> {
  const contract = { address: deployment.serviceRegistry, abi: serviceRegistryAbi, chain: null } as const;
  const hash = await chain.writeContract({ ...contract, functionName, args });
  await chain.mine({ blocks: 1 });
  expect((await chain.getTransactionReceipt({ hash })).status).toBe("success");
  return hash;
}

async function aKey(): Promise<{ armoured: string; fingerprint: string; hex: Hex }> {
  const { publicKey: armoured } = await generateKey({ userIDs: [{ name: "orion" }], format: "armored" });
  const fingerprint = await readPublicKey(armoured, new Date());
  return { armoured, fingerprint, hex: `0x${fingerprint}` };
}
const pin = async (text: string): Promise<string> =>
  `ipfs://${(await ipfs.pin(new TextEncoder().encode(text))).cid}`;
const read = (id: number) => directory.services.findService(id);

describe("the mirror", () => {
  test("copies the finalized state, with the key at its address", async () => {
    const key = await aKey();
    const inbox = anAddress();
    const keyUri = await pin(key.armoured);
    await send(["register", [inbox, key.hex, keyUri]]);
    await send(["register", [anAddress(), `0x${"ab".repeat(32)}`, "https://service.example/key.asc"]]);
    await finalize();
    await mirrorServices();
    expect(await read(1)).toMatchObject({
      id: 1,
      chainId,
      name: "service 1",
      inbox,
      active: true,
      fingerprint: key.fingerprint,
      keyUri,
      armoured: key.armoured,
      url: null,
    });
    expect(await read(2)).toMatchObject({ id: 2, fingerprint: "ab".repeat(32), armoured: null });
  });

  test("sends no request and changes nothing when a round brings no news", async () => {
    const key = await aKey();
    await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await finalize();
    await mirrorServices();
    const before = (await directory.client.query("select * from verification_services")).rows as unknown[];
    gateway.asked.length = 0;
    await Promise.all([mirrorServices(), mirrorServices()]);
    expect((await directory.client.query("select * from verification_services")).rows).toEqual(before);
    expect(gateway.asked).toEqual([]);
  });

  test("ignores blocks that are not final or were reorganised away", async () => {
    const key = await aKey();
    const hash = await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await mirrorServices();
    expect(await directory.services.listServices()).toEqual([]);
    await chain.request({ method: "anvil_rollback", params: [1] } as never);
    await chain.dropTransaction({ hash }).catch(() => undefined);
    const other = await aKey();
    const inbox = anAddress();
    await finalize();
    await mirrorServices();
    expect(await directory.services.listServices()).toEqual([]);
    await send(["register", [inbox, other.hex, await pin(other.armoured)]]);
    await finalize();
    await mirrorServices();
    expect(await directory.services.listServices()).toMatchObject([
      { id: 1, inbox, armoured: other.armoured },
    ]);
  });

  test("rejects a key with another fingerprint, a private key, and malformed keys", async () => {
    const [key, other] = [await aKey(), await aKey()];
    const { privateKey } = await generateKey({ userIDs: [{ name: "x" }], format: "armored" });
    const hexOfPrivate = (await readKey({ armoredKey: privateKey })).getFingerprint();
    await send(["register", [anAddress(), key.hex, await pin(other.armoured)]]);
    await send(["register", [anAddress(), `0x${hexOfPrivate}`, await pin(privateKey)]]);
    await send(["register", [anAddress(), key.hex, await pin("hello")]]);
    await send(["register", [anAddress(), key.hex, await pin(`${key.armoured}${" ".repeat(32 * 1024)}`)]]);
    await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await finalize();
    await mirrorServices();
    const keys = (await directory.services.listServices()).map(({ armoured }) => armoured);
    expect(keys).toEqual([null, null, null, null, key.armoured]);
    expect(logged.filter((line) => line.includes("verification service key rejected"))).toHaveLength(4);
    expect(logged.join("")).toContain("its fingerprint differs from the registry's");
  });

  test("rejects bytes with another digest, and accepts the right ones once they come", async () => {
    const key = await aKey();
    await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await finalize();
    gateway.is.lying = true;
    await mirrorServices();
    expect(await read(1)).toMatchObject({ armoured: null, active: true });
    gateway.is.lying = false;
    gateway.is.away = true;
    await mirrorServices();
    expect(await read(1)).toMatchObject({ armoured: null });
    gateway.is.away = false;
    await mirrorServices();
    expect(await read(1)).toMatchObject({ armoured: key.armoured });
  });

  test("sends no request to an address that the contract names", async () => {
    const key = await aKey();
    const uris = [
      `${gateway.url}/key.asc`,
      `ipfs://${gateway.url}/x`,
      `${await pin(key.armoured)}/../x`,
      "file:///etc/passwd",
      "ipfs://\0",
      "\0",
    ];
    for (const uri of uris) await send(["register", [anAddress(), key.hex, uri]]);
    await finalize();
    await mirrorServices();
    const services = await directory.services.listServices();
    expect(services).toHaveLength(uris.length);
    expect(services[0]).toMatchObject({ keyUri: uris[0], armoured: null });
    expect(services.every(({ armoured }) => armoured === null)).toBe(true);
    expect(gateway.asked).toEqual([]);
  });

  test("replaces a key that was changed on the chain, and never shows the old one under the new fingerprint", async () => {
    const [old, next] = [await aKey(), await aKey()];
    await send(["register", [anAddress(), old.hex, await pin(old.armoured)]]);
    await finalize();
    await mirrorServices();
    await send(["updateKey", [1n, next.hex, await pin(next.armoured)]]);
    await mirrorServices();
    expect(await read(1)).toMatchObject({ fingerprint: old.fingerprint, armoured: old.armoured });
    await finalize();
    gateway.is.away = true;
    await mirrorServices();
    expect(await read(1)).toMatchObject({ fingerprint: next.fingerprint, armoured: null });
    gateway.is.away = false;
    await mirrorServices();
    expect(await read(1)).toMatchObject({ fingerprint: next.fingerprint, armoured: next.armoured });
  });

  test("does not store a key that was read for an earlier state of the registry", async () => {
    const [old, next] = [await aKey(), await aKey()];
    const keyUri = await pin(old.armoured);
    await send(["register", [anAddress(), next.hex, await pin(next.armoured)]]);
    await finalize();
    await mirrorServices();
    const late = { id: 1, fingerprint: old.fingerprint, keyUri };
    expect(await directory.services.keepKey(late, old.armoured)).toBe(false);
    expect(await read(1)).toMatchObject({ armoured: next.armoured });
  });

  test("follows activation; a service missing from the registry becomes inactive", async () => {
    const key = await aKey();
    await directory.client.query(
      `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
       values (9, 1, 'of another registry', $1, true, $2, 'x')`,
      [anAddress(), "ab".repeat(20)],
    );
    await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await send(["setActive", [1n, false]]);
    await finalize();
    await mirrorServices();
    expect(await directory.services.listActive()).toEqual([]);
    expect(await read(9)).toMatchObject({ name: "of another registry", active: false });
    await send(["setActive", [1n, true]]);
    await finalize();
    await mirrorServices();
    expect(await directory.services.listActive()).toMatchObject([{ id: 1, armoured: key.armoured }]);
  });

  test("leaves the table unchanged when the chain is unavailable, is another one or lacks the contract", async () => {
    const key = await aKey();
    await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await finalize();
    await mirrorServices();
    const before = await directory.services.listServices();
    await send(["setActive", [1n, false]]);
    await finalize();
    await expect(mirrorOf({ rpcUrl: "http://127.0.0.1:9/secret" })()).rejects.toThrow(
      /^(?!.*secret).*chain 11155111/,
    );
    await expect(mirrorOf({ chainId: 1 })()).rejects.toThrow(
      "the node configured for chain 1 serves chain 11155111",
    );
    await expect(mirrorOf({ address: anAddress() })()).rejects.toThrow("count");
    expect(await directory.services.listServices()).toEqual(before);
  });

  test("does nothing without a registry", async () => {
    const store = { ...directory.services, mirror: () => Promise.reject(new Error("asked")) };
    await makeMirrorServices({
      registry: undefined,
      store,
      readContent: () => Promise.reject(new Error("asked")),
      readPublicKey,
      clock: { now: () => new Date() },
      log,
    })();
  });

  test("runs at the start and repeatedly, despite failures in between", async () => {
    let rounds = 0;
    let counted = 0;
    const { stop } = startKeepingUp({
      mirrorServices: async () => {
        rounds++;
        if (rounds === 1) throw new Error("the chain is away");
        await mirrorServices();
      },
      rollUp: async () => ++counted,
      log,
      mirrorEveryMs: 20,
      rollUpEveryMs: 10,
    });
    const key = await aKey();
    await send(["register", [anAddress(), key.hex, await pin(key.armoured)]]);
    await finalize();
    await waitUntil("the key is there", async () => (await read(1))?.armoured === key.armoured);
    await stop();
    const after = [rounds, counted];
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([rounds, counted]).toEqual(after);
    expect(logged.join("")).toContain("the chain is away");
  });
});

describe("the seeded service", () => {
  const seed = async (inbox: Hex, { armoured, fingerprint }: { armoured: string; fingerprint: string }) => {
    await chain.setIntervalMining({ interval: 1 });
    const seeded = await seedService({
      rpcUrl,
      ipfsUrl,
      deployment,
      inbox,
      fingerprint,
      armouredKey: armoured,
    });
    await chain.setIntervalMining({ interval: 0 });
    return seeded;
  };
  const sent = () => chain.getTransactionCount({ address: owner.address });

  test("is found by the mirror, registered once, and gets a new key instead of the old one", async () => {
    const [key, next] = [await aKey(), await aKey()];
    const inbox = anAddress();
    const before = await sent();
    const seeded = await seed(inbox, key);
    expect(seeded.id).toBe(1);
    await finalize();
    await mirrorServices();
    expect(await read(1)).toMatchObject({ inbox, armoured: key.armoured, keyUri: seeded.keyUri });
    expect(await seed(inbox, { ...key, fingerprint: `0x${key.fingerprint.toUpperCase()}` })).toEqual(seeded);
    expect(await sent()).toBe(before + 1);
    expect(await seed(inbox, next)).toMatchObject({ id: 1 });
    expect(await sent()).toBe(before + 2);
    await finalize();
    await mirrorServices();
    expect(await read(1)).toMatchObject({ inbox, fingerprint: next.fingerprint, armoured: next.armoured });
  });

  test("is registered only on a chain of this machine", async () => {
    const key = await aKey();
    await expect(
      seedService({
        rpcUrl: "https://sepolia.example.org",
        ipfsUrl,
        deployment,
        inbox: anAddress(),
        fingerprint: key.fingerprint,
        armouredKey: key.armoured,
      }),
    ).rejects.toThrow("Seeding is for a chain on this machine");
  });
});
