// The command that registers the service, run as an operator would, on a real chain and a real IPFS node.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createPublicClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceRegistryAbi } from "@countersign/contracts/abi";
import { deployContracts } from "@countersign/contracts/deploy";
import { digestOfCid } from "@countersign/wire/envelope";
import type { Hex } from "@countersign/wire";
import { makeIpfs } from "@countersign/platform/ipfs";
import { devAccounts, makeSupervisor, startAnvil, startIpfs } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { basicEnvironment } from "../../../../tools/engines/environment.ts";

const root = resolve(import.meta.dirname, "../../../..");
const dir = makeTempDir("orion-register");
const supervisor = makeSupervisor({ logDir: dir });
const [deployer, stranger] = devAccounts();
if (deployer === undefined || stranger === undefined) throw new Error("no accounts");
let environment: Record<string, string>;
let registry: Hex;
let rpcUrl: string;
let ipfsUrl: string;

beforeAll(async () => {
  const [anvilPort = 0, ipfsPort = 0] = await freePorts(2);
  const [anvil, ipfs] = await Promise.all([
    startAnvil({ supervisor, dir: join(dir, "anvil"), port: anvilPort }),
    startIpfs({ supervisor, dir: join(dir, "ipfs"), port: ipfsPort }),
  ]);
  [rpcUrl, ipfsUrl] = [anvil.url, ipfs.url];
  const { serviceRegistry } = await deployContracts({
    ...{ rpcUrl, registrar: deployer.address, recorders: [deployer.address] },
    deployer: privateKeyToAccount(deployer.privateKey),
  });
  registry = serviceRegistry;
  environment = {
    ...{ RPC_URL: rpcUrl, IPFS_URL: ipfsUrl, SERVICE_REGISTRY_ADDRESS: registry },
    VERDICT_KEY_FILE: join(dir, "verdict.json"),
    PGP_KEY_FILE: join(dir, "pgp.asc"),
    SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
  };
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
const admin = (args: readonly string[], changes: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile(
      "npm",
      ["run", "--silent", "admin", "-w", "apps/orion", "--", ...args],
      { cwd: root, env: { ...basicEnvironment(), ...environment, ...changes } },
      (error, stdout, stderr) => {
        done({ code: error === null ? 0 : 1, stdout, stderr });
      },
    );
  });
const register = (changes: Record<string, string> = {}): Promise<Ran> =>
  admin(["service", "register"], changes);
const withOwner = { REGISTRY_OWNER_PRIVATE_KEY: deployer.privateKey };
const services = async () => {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const at = { address: registry, abi: serviceRegistryAbi } as const;
  const count = await client.readContract({ ...at, functionName: "count" });
  return Promise.all(
    Array.from({ length: Number(count) }, (_, index) =>
      client.readContract({ ...at, functionName: "serviceOf", args: [BigInt(index + 1)] }),
    ),
  );
};

test("says what to do when the keys do not exist yet, and creates none", async () => {
  const { code, stderr } = await register(withOwner);
  expect(code).toBe(1);
  expect(stderr).toContain("npm run admin -w apps/orion -- keys create");
  expect(stderr).not.toMatch(/\n\s+at /);
});

test("prints the transaction when the owner's key is elsewhere; only the owner can send it", async () => {
  expect((await admin(["keys", "create"])).code).toBe(0);
  const { code, stdout } = await register();
  expect(code).toBe(0);
  expect(stdout).toContain("Nothing was sent");
  expect(stdout).toContain(`from: ${deployer.address}`);
  expect(await services()).toHaveLength(0);
  const [, data = ""] = /data: (0x[0-9a-f]+)/.exec(stdout) ?? [];
  const client = createPublicClient({ transport: http(rpcUrl) });
  const call = { to: registry, data: data as Hex };
  await expect(client.call({ ...call, account: deployer.address })).resolves.toBeDefined();
  await expect(client.call({ ...call, account: stranger.address })).rejects.toThrow();
});

test.each([
  ["a key that is not the owner's", { REGISTRY_OWNER_PRIVATE_KEY: stranger.privateKey }, "belongs to"],
  ["another chain", { HOME_CHAIN_ID: "11155112" }, "The node serves chain 11155111"],
  ["no contract there", { SERVICE_REGISTRY_ADDRESS: `0x${"12".repeat(20)}` }, "There is no contract at"],
  ["no registry named", { SERVICE_REGISTRY_ADDRESS: "" }, "SERVICE_REGISTRY_ADDRESS is required"],
  ["no node", { RPC_URL: "http://127.0.0.1:9/secret" }, "The home chain could not be used"],
  ["no IPFS", { IPFS_URL: "http://127.0.0.1:9/secret" }, "The public key could not be stored on IPFS"],
])("rejects %s with one sentence, and registers nothing", async (_, changes, sentence) => {
  const { code, stderr } = await register({ ...withOwner, ...changes });
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/secret|\n\s+at /);
  expect(await services()).toHaveLength(0);
});

test("registers the service with its inbox, fingerprint and public key; repeating it sends nothing", async () => {
  const first = await register(withOwner);
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toContain("Registered as service 1.");
  const [, inbox = ""] = /inbox address: (0x[0-9a-f]{40})/.exec(first.stdout) ?? [];
  const [, fingerprint = ""] = /fingerprint: ([0-9a-f]+)/.exec(first.stdout) ?? [];
  const [service] = await services();
  expect(service).toMatchObject({ active: true, fingerprint: `0x${fingerprint}` });
  expect(service?.inbox.toLowerCase()).toBe(inbox);
  const digest = digestOfCid(service?.keyUri.replace("ipfs://", "") ?? "");
  if (digest === undefined) throw new Error("the key's address is no CID");
  const published = Buffer.from(await makeIpfs({ url: ipfsUrl }).read(digest)).toString();
  expect((await admin(["keys", "show"])).stdout).toContain(published.trim());

  const again = await register(withOwner);
  expect(again.stdout).toContain("Already registered as service 1. Nothing was sent.");
  expect(await services()).toHaveLength(1);
});

test("updates the key of a service that has a new one", async () => {
  rmSync(join(dir, "pgp.asc"));
  const { stdout } = await admin(["keys", "create"]);
  const [, fingerprint = ""] = /fingerprint: ([0-9a-f]+)/.exec(stdout) ?? [];
  expect((await register(withOwner)).stdout).toContain("Registered as service 1.");
  const found = await services();
  expect(found.map((service) => service.fingerprint)).toEqual([`0x${fingerprint}`]);
});

test("an unknown action prints the usage and ends with an error", async () => {
  const { code, stdout } = await admin(["service", "enrol"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("service register")]);
});
