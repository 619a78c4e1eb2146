// The service's dependencies, real except for the main service: the engine, the chain, the gateway, the validator.
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createWalletClient, encodeFunctionData, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { inboxAbi } from "@countersign/contracts/abi";
import { deployContracts } from "@countersign/contracts/deploy";
import { registerFlows } from "@countersign/platform/engine";
import { registrationRoot, type Hex, type WireDomain } from "@countersign/wire";
import { cidOf, digestOf, writeRegistrations } from "@countersign/wire/envelope";
import {
  devAccounts,
  fetchOk,
  makeSupervisor,
  startAnvil,
  startIpfs,
  type Child,
} from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  startTestRestate,
  waitUntil,
  type TestRestate,
} from "@countersign/tools/testing";
import type { SealedUp } from "./proposals.ts";
import { startRecordStandIn, type RecordStandIn } from "./record-stand-in.ts";

const orionFile = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const validatorFile = fileURLToPath(new URL("../../validator/src/main.ts", import.meta.url));
const nudgeToken = "the token of this test";

export type Harness = {
  readonly restate: TestRestate;
  readonly record: RecordStandIn;
  readonly domain: WireDomain;
  readonly orionUrl: string;
  /** The service's public keys. */
  readonly desk: { readonly inbox: Hex; readonly pgpPublicKey: string };
  readonly gateway: { readonly lie: (isLying: boolean) => void; readonly lies: () => number };
  /** Ends it like a power cut. */
  readonly kill: (app: "orion" | "validator") => Promise<void>;
  readonly start: (app: "orion" | "validator") => Promise<void>;
  readonly pin: (bytes: Uint8Array) => Promise<void>;
  readonly recordOnChain: (made: SealedUp, inbox?: Hex) => Promise<void>;
  /** Records the root of a tree whose leaves these are. Pins its list, unless another one is given. */
  readonly recordRoot: (
    all: readonly SealedUp[],
    list?: Uint8Array,
  ) => Promise<{ readonly root: Hex; readonly list: string }>;
  /** Replaces the newest blocks, and puts the entry into one of the oldest of the new ones. */
  readonly recordByReorg: (made: SealedUp, depth: number) => Promise<void>;
  readonly nudge: (body: object, token?: string) => Promise<number>;
  readonly logs: () => string;
  readonly end: () => Promise<void>;
};

/** A gateway that forwards the real one's answers, or changes a byte. */
async function aGateway(target: string) {
  let isLying = false;
  let lies = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(`${target}${request.url ?? ""}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (isLying && answer.ok) {
        lies++;
        bytes[0] = (bytes[0] ?? 0) ^ 1;
      }
      response.writeHead(answer.status).end(bytes);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (now: boolean) => {
      [isLying, lies] = [now, 0];
    },
    lies: () => lies,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function setHarness(settings: Readonly<Record<string, string>> = {}): Promise<Harness> {
  const dir = makeTempDir("orion");
  const supervisor = makeSupervisor({ logDir: `${dir}/logs` });
  const [anvilPort = 0, ipfsPort = 0, validatorPort = 0, orionPort = 0, workerPort = 0] = await freePorts(5);
  const orionKey = "cs_orion_for_a_test";
  const [restate, anvil, ipfs, record] = await Promise.all([
    startTestRestate(),
    startAnvil({ supervisor, dir: `${dir}/anvil`, port: anvilPort }),
    startIpfs({ supervisor, dir: `${dir}/ipfs`, port: ipfsPort }),
    startRecordStandIn(orionKey),
  ]);
  const gateway = await aGateway(ipfs.url);
  const [deployer, recorder] = devAccounts().map(({ privateKey }) => privateKeyToAccount(privateKey));
  if (deployer === undefined || recorder === undefined) throw new Error("no dev accounts");
  const deployment = await deployContracts({
    rpcUrl: anvil.url,
    deployer,
    registrar: recorder.address,
    recorders: [recorder.address],
  });
  const domain: WireDomain = { chainId: deployment.chainId, inbox: deployment.inbox };
  const chain = createWalletClient({
    account: recorder,
    transport: http(anvil.url),
    pollingInterval: 200,
  }).extend(publicActions);

  const validatorUrl = `http://127.0.0.1:${validatorPort}`;
  const startValidator = async (): Promise<Child> => {
    const child = supervisor.start({
      name: "validator",
      command: process.execPath,
      args: [validatorFile],
      cwd: dir,
      env: { PORT: String(validatorPort) },
    });
    await waitUntil("the validator is ready", () => fetchOk(`${validatorUrl}/ready`), { child });
    return child;
  };
  const orionUrl = `http://127.0.0.1:${orionPort}`;
  const startOrion = async (): Promise<Child> => {
    const child = supervisor.start({
      name: "orion",
      command: process.execPath,
      args: [orionFile],
      cwd: dir,
      env: {
        PORT: String(orionPort),
        WORKER_PORT: String(workerPort),
        LOG_LEVEL: "debug",
        ENGINE_INGRESS_URL: restate.ingressUrl,
        ENGINE_IDENTITY_KEYS: restate.identityKey,
        API_URL: record.url,
        ORION_KEY: orionKey,
        NUDGE_TOKEN: nudgeToken,
        VALIDATOR_URL: validatorUrl,
        IPFS_URL: gateway.url,
        RPC_URL: anvil.url,
        HOME_CHAIN_ID: String(deployment.chainId),
        INBOX_ADDRESS: deployment.inbox,
        WATCH_EVERY_MS: "300",
        VERDICT_KEY_FILE: `${dir}/keys/verdict.json`,
        PGP_KEY_FILE: `${dir}/keys/pgp.asc`,
        SECRETS_KEY_FILE: `${dir}/keys/secrets.key`,
        VERDICT_KEY_CREATE: "true",
        PGP_KEY_CREATE: "true",
        ...settings,
      },
    });
    await waitUntil("orion answers", () => fetchOk(orionUrl), { seconds: 60, child });
    return child;
  };
  const starts = { orion: startOrion, validator: startValidator };
  const [validator, orion] = await Promise.all([startValidator(), startOrion()]);
  const children = { orion, validator };
  const workerUrl = `http://127.0.0.1:${workerPort}`;
  await waitUntil("the flows are registered", () =>
    registerFlows({ adminUrl: restate.adminUrl, workerUrl, force: false }),
  );
  const desk = (await (await fetchOk(orionUrl)).json()) as Harness["desk"];

  const pin = async (bytes: Uint8Array): Promise<void> => {
    await fetchOk(`${ipfs.url}/ipfs`, { method: "POST", body: new Uint8Array(bytes) });
  };

  return {
    ...{ restate, record, domain, orionUrl, desk, gateway, pin },
    kill: (app) => children[app].kill(),
    start: async (app) => {
      children[app] = await starts[app]();
    },
    recordOnChain: async ({ requestHash, digest }, inbox = desk.inbox) => {
      const hash = await chain.writeContract({
        address: deployment.inbox,
        abi: inboxAbi,
        functionName: "record",
        args: [requestHash, digest, inbox],
        chain: null,
      });
      await chain.waitForTransactionReceipt({ hash });
    },
    recordRoot: async (all, otherList) => {
      const entries = all.map(({ requestHash, digest }) => ({ requestHash, contentDigest: digest }));
      const registrations = { inbox: desk.inbox, entries };
      const [root, list] = [registrationRoot(registrations), otherList ?? writeRegistrations(registrations)];
      await pin(list);
      const hash = await chain.writeContract({
        address: deployment.inbox,
        abi: inboxAbi,
        functionName: "recordRoot",
        args: [root, digestOf(list), desk.inbox],
        chain: null,
      });
      await chain.waitForTransactionReceipt({ hash });
      return { root, list: cidOf(digestOf(list)) };
    },
    recordByReorg: async ({ requestHash, digest }, depth) => {
      const args = [requestHash, digest, desk.inbox] as const;
      const data = encodeFunctionData({ abi: inboxAbi, functionName: "record", args });
      const call = { from: recorder.address, to: deployment.inbox, data };
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "anvil_reorg",
        params: [depth, [[call, 0]]],
      });
      const answer: unknown = await (await fetchOk(anvil.url, { method: "POST", headers, body })).json();
      if (typeof answer !== "object" || answer === null || "error" in answer)
        throw new Error(`anvil did not reorganise: ${JSON.stringify(answer)}`);
    },
    nudge: async (body, token = nudgeToken) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const response = await fetch(`${orionUrl}/nudges`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return response.status;
    },
    logs: () =>
      ["orion", "validator"].map((name) => readFileSync(supervisor.logFile(name), "utf8")).join("\n"),
    end: async () => {
      await supervisor.stop();
      await restate.stop();
      record.close();
      gateway.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
