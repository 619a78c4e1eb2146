import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createPublicClient, createWalletClient, http, parseEther, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { startAnvil, type Anvil } from "./anvil.ts";
import { freePorts } from "./ports.ts";
import { readSocketsOf, staysAtHome } from "./sockets.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";
import { waitUntil } from "./wait.ts";

const dir = makeTempDir("anvil");
const stateFile = `${dir}/state.json`;
const stranger = "0x00000000000000000000000000000000000000aa";
let supervisor: Supervisor;
let anvil: Anvil;
let start: () => Promise<Anvil>;

beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: `${dir}/logs` });
  const [port = 0] = await freePorts(1);
  start = () => startAnvil({ supervisor, dir, port, saveEverySeconds: 1 });
  anvil = await start();
});

afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true });
});

const chain = (): ReturnType<typeof createPublicClient> =>
  createPublicClient({ chain: sepolia, transport: http(anvil.url), pollingInterval: 100 });

async function give(ether: string): Promise<void> {
  const account = privateKeyToAccount(anvil.accounts[0]?.privateKey ?? "0x");
  const wallet = createWalletClient({ account, chain: sepolia, transport: http(anvil.url) });
  const hash: Hex = await wallet.sendTransaction({ to: stranger, value: parseEther(ether) });
  await chain().waitForTransactionReceipt({ hash });
}

const balance = (): Promise<bigint> => chain().getBalance({ address: stranger });

it("is a Sepolia whose dev accounts have money and whose finalized block moves", async () => {
  expect(await chain().getChainId()).toBe(11_155_111);
  for (const { address } of anvil.accounts)
    expect(await chain().getBalance({ address })).toBe(parseEther("10000"));
  await waitUntil("blocks are finalized", async () => {
    const { number } = await chain().getBlock({ blockTag: "finalized" });
    return number > 0n;
  });
});

it("listens on loopback only", () => {
  expect(readSocketsOf(anvil.pid).filter((socket) => !staysAtHome(socket))).toEqual([]);
});

it("keeps its state over a restart", async () => {
  await give("1");
  const block = await chain().getBlockNumber();
  await anvil.stop();
  anvil = await start();
  expect(await balance()).toBe(parseEther("1"));
  expect(await chain().getBlockNumber()).toBeGreaterThanOrEqual(block);
});

it("loses at most the last moments to a SIGKILL", async () => {
  await give("1");
  const written = readFileSync(stateFile, "utf8");
  await waitUntil("the state is written again", () => readFileSync(stateFile, "utf8") !== written);
  await give("1");
  await anvil.kill();
  anvil = await start();
  expect(await balance()).toBeGreaterThanOrEqual(parseEther("2"));
});

it("starts from the state of its last start when a kill left half a file", async () => {
  const before = await balance();
  await anvil.stop();
  const whole = readFileSync(stateFile);
  writeFileSync(stateFile, whole.subarray(0, whole.length / 2));
  anvil = await start();
  expect(await balance()).toBe(before);
});
