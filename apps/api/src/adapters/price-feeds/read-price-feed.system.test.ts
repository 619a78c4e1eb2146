import { rmSync } from "node:fs";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { createTestClient, http, publicActions, walletActions, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownArtifact } from "../../../../../tools/world/artifacts.ts";
import { makeNode } from "../chain/index.ts";
import { readPriceFeed } from "./index.ts";

const dir = makeTempDir("price-feeds");
const supervisor = makeSupervisor({ logDir: dir });
let anvil: Anvil;
const chain = () =>
  createTestClient({ mode: "anvil", transport: http(anvil.url) })
    .extend(publicActions)
    .extend(walletActions);
const node = (chainId = 11_155_111) => makeNode({ chainId, rpcUrls: [anvil.url] });

async function deployFeed(answer: bigint): Promise<Hex> {
  const [account = "0x"] = await chain().getAddresses();
  const args = [answer, "ETH / USD"];
  const hash = await chain().deployContract({ ...ownArtifact("Feed"), account, chain: null, args });
  const { contractAddress } = await chain().waitForTransactionReceipt({ hash });
  return contractAddress ?? "0x";
}

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir: `${dir}/anvil`, port });
  await chain().setIntervalMining({ interval: 0 });
  await chain().setAutomine(true);
}, 120_000);
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("reads the price with 18 places, and when the feed last changed it", async () => {
  const feed = await deployFeed(300_012_345_678n);
  const { timestamp } = await chain().getBlock();
  expect(await readPriceFeed(node(), feed)).toEqual({
    ...{ usd: 3_000_123_456_780_000_000_000n, asOf: new Date(Number(timestamp) * 1000) },
  });
});

test.each([0n, -1n])("a feed with the answer %s has no price", async (answer) => {
  await expect(readPriceFeed(node(), await deployFeed(answer))).rejects.toThrow(/has no price/);
});

test("an address without a contract, and a node of another chain, give no price", async () => {
  await expect(readPriceFeed(node(), `0x${"77".repeat(20)}`)).rejects.toThrow(/^chain 11155111: /);
  await expect(readPriceFeed(node(1), await deployFeed(1n))).rejects.toThrow(/serves chain 11155111/);
});
