// Deploys to a real anvil and talks to the contracts through the typed ABI.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Address, Hex } from "viem";
import { createWalletClient, http, keccak256, publicActions, sha256, toHex, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeSupervisor, type Supervisor } from "@countersign/tools/engines";
import { freePorts } from "@countersign/tools/testing";
import { accountRegistryAbi, inboxAbi, serviceRegistryAbi } from "../abi/index.ts";
import { deployContracts, ensureDeployed, findDeployment, receiptOf, renderDeployment } from "./deploy.ts";

const anvil = join(import.meta.dirname, "../../node_modules/.bin/anvil");
const mnemonic = "test test test test test test test test test test test junk";
const [deployer, registrar, recorder, owner, account] = [0, 1, 2, 3, 4].map((addressIndex) =>
  mnemonicToAccount(mnemonic, { addressIndex }),
) as [Wallet, Wallet, Wallet, Wallet, Wallet];
type Wallet = ReturnType<typeof mnemonicToAccount>;

let supervisor: Supervisor;
let folder: string;
let rpcUrl: string;

async function startChain({ chainId = 11_155_111 } = {}): Promise<string> {
  const [port = 0] = await freePorts(1);
  const args = ["--port", `${port}`, "--chain-id", `${chainId}`, "--silent"];
  supervisor.start({ name: `anvil-${port}`, command: anvil, args, cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => clientOf(deployer, url).getChainId(), { timeout: 20_000 });
  return url;
}

function clientOf(wallet: Wallet, url = rpcUrl) {
  return createWalletClient({
    account: wallet,
    transport: http(url, { retryCount: 0 }),
    pollingInterval: 50,
  }).extend(publicActions);
}

const optionsFor = (url: string) => ({
  rpcUrl: url,
  deployer,
  registrar: registrar.address,
  recorders: [recorder.address],
});

const confirm = async (hash: Hex): Promise<void> => {
  const { status } = await receiptOf(clientOf(deployer), hash);
  expect(status).toBe("success");
};

const transactionsOf = (address: Address, url = rpcUrl): Promise<number> =>
  clientOf(deployer, url).getTransactionCount({ address });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-deploy-"));
  supervisor = makeSupervisor({ logDir: folder });
  rpcUrl = await startChain();
});

afterEach(async () => {
  await supervisor.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("deployContracts", () => {
  it("gives the contracts to the owner, with the registrar and the recorders set", async () => {
    const deployment = await deployContracts({ ...optionsFor(rpcUrl), owner: owner.address });
    expect(deployment.chainId).toBe(11_155_111);
    expect(deployment.blockNumber).toBe(1n);

    const client = clientOf(deployer);
    const accounts = { address: deployment.accountRegistry, abi: accountRegistryAbi } as const;
    const services = { address: deployment.serviceRegistry, abi: serviceRegistryAbi } as const;
    const inbox = { address: deployment.inbox, abi: inboxAbi } as const;
    expect(await client.readContract({ ...accounts, functionName: "owner" })).toBe(owner.address);
    expect(await client.readContract({ ...services, functionName: "owner" })).toBe(owner.address);
    expect(await client.readContract({ ...inbox, functionName: "owner" })).toBe(owner.address);
    expect(await client.readContract({ ...accounts, functionName: "registrar" })).toBe(registrar.address);
    const isRecorder = (address: Address) =>
      client.readContract({ ...inbox, functionName: "isRecorder", args: [address] });
    expect(await isRecorder(recorder.address)).toBe(true);
    expect(await isRecorder(deployer.address)).toBe(false);
  });

  it("gives the contracts to the deployer if no owner is named", async () => {
    const { inbox } = await deployContracts(optionsFor(rpcUrl));
    const read = { address: inbox, abi: inboxAbi, functionName: "owner" } as const;
    expect(await clientOf(deployer).readContract(read)).toBe(deployer.address);
  });

  it("leaves contracts that record accounts, services and requests", async () => {
    const deployment = await deployContracts(optionsFor(rpcUrl));
    const client = clientOf(deployer);
    const fingerprint = toHex(new Uint8Array(20).fill(7));

    const accounts = { address: deployment.accountRegistry, abi: accountRegistryAbi } as const;
    const signatureHash = keccak256("0x01");
    const args = [account.address, fingerprint, signatureHash] as const;
    await confirm(
      await clientOf(registrar).writeContract({ ...accounts, chain: null, functionName: "record", args }),
    );
    expect(
      await client.readContract({ ...accounts, functionName: "recordOf", args: [account.address] }),
    ).toMatchObject({ fingerprint, signatureHash, byAccount: false });

    const services = { address: deployment.serviceRegistry, abi: serviceRegistryAbi } as const;
    const service = [account.address, fingerprint, "https://service.example/key.asc"] as const;
    await confirm(
      await client.writeContract({ ...services, chain: null, functionName: "register", args: service }),
    );
    expect(await client.readContract({ ...services, functionName: "serviceOf", args: [1n] })).toEqual({
      inbox: account.address,
      active: true,
      fingerprint,
      keyUri: "https://service.example/key.asc",
    });

    const inbox = { address: deployment.inbox, abi: inboxAbi } as const;
    const entry = { requestHash: keccak256("0x02"), contentDigest: sha256("0x03"), inbox: account.address };
    await confirm(
      await clientOf(recorder).writeContract({
        ...inbox,
        chain: null,
        functionName: "recordBatch",
        args: [[entry]],
      }),
    );
    const events = await client.getContractEvents({
      ...inbox,
      eventName: "Recorded",
      args: { inbox: account.address },
      fromBlock: deployment.blockNumber,
    });
    expect(events.map(({ args }) => args)).toEqual([{ ...entry, recorder: recorder.address }]);
  });
});

describe("ensureDeployed", () => {
  it("deploys once and then returns what it deployed", async () => {
    const file = join(folder, "deployments", "11155111.json");
    const first = await ensureDeployed({ ...optionsFor(rpcUrl), file });
    const transactions = await transactionsOf(deployer.address);
    expect(transactions).toBe(3);

    expect(await ensureDeployed({ ...optionsFor(rpcUrl), file })).toEqual(first);
    expect(await transactionsOf(deployer.address)).toBe(transactions);
    expect(await readFile(file, "utf8")).toBe(renderDeployment(first));
    expect(await readdir(join(folder, "deployments"))).toEqual(["11155111.json"]);
  });

  it("deploys again on a chain that was wiped", async () => {
    const file = join(folder, "deployment.json");
    await ensureDeployed({ ...optionsFor(rpcUrl), file });

    const wiped = await startChain();
    expect(await findDeployment({ file, rpcUrl: wiped })).toBeUndefined();
    const { inbox } = await ensureDeployed({ ...optionsFor(wiped), file });
    expect(await transactionsOf(deployer.address, wiped)).toBe(3);
    expect(await clientOf(deployer, wiped).getCode({ address: inbox })).toBeDefined();
  });

  // The same key deploys to the same addresses everywhere, so code at the address is not enough.
  it("does not take another chain's contracts at the same addresses for its own", async () => {
    const file = join(folder, "deployment.json");
    const here = await ensureDeployed({ ...optionsFor(rpcUrl), file });
    const elsewhere = await startChain({ chainId: 31_337 });
    const there = await deployContracts(optionsFor(elsewhere));
    expect(there.inbox).toBe(here.inbox);

    expect(await findDeployment({ file, rpcUrl: elsewhere })).toBeUndefined();
  });

  it.each([
    ["is not JSON", "{"],
    ["is not an object", "null"],
    ["lacks an address", JSON.stringify({ chainId: 1, blockNumber: 1, inbox: zeroAddress })],
  ])("refuses a file that %s, and leaves it alone", async (_what, content) => {
    const file = join(folder, "deployment.json");
    await writeFile(file, content);
    await expect(ensureDeployed({ ...optionsFor(rpcUrl), file })).rejects.toThrow(
      `${file} does not describe a deployment. Fix it, or remove it to deploy again.`,
    );
    expect(await readFile(file, "utf8")).toBe(content);
  });
});

describe("the operator's command", () => {
  const key = toHex(deployer.getHdKey().privateKey ?? new Uint8Array());
  const run = (environment: Record<string, string>) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "main.ts")], { env: environment });

  it("deploys, prints the addresses, and does so once", async () => {
    const file = join(folder, "deployment.json");
    const environment = {
      RPC_URL: rpcUrl,
      DEPLOYER_PRIVATE_KEY: key,
      REGISTRAR_ADDRESS: registrar.address,
      RECORDER_ADDRESSES: `${recorder.address},${account.address}`,
      OWNER_ADDRESS: owner.address,
      DEPLOYMENT_FILE: file,
    };
    const { stdout, stderr } = await run(environment);
    expect(stdout).toBe(await readFile(file, "utf8"));
    expect(stdout + stderr).not.toContain(key.slice(2));
    expect((await run(environment)).stdout).toBe(stdout);
    expect(await transactionsOf(deployer.address)).toBe(3);
  });

  it("fails without naming the RPC address, which may hold an access key", async () => {
    const failure = run({
      RPC_URL: "http://127.0.0.1:9/v3/access-key",
      DEPLOYER_PRIVATE_KEY: key,
      REGISTRAR_ADDRESS: registrar.address,
      RECORDER_ADDRESSES: recorder.address,
    });
    await expect(failure).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: "HTTP request failed. fetch failed\n",
    });
  });
});
