// The test double on a real chain: an accepted order moves money once.
import { generateKeyPairSync } from "node:crypto";
import { createPublicClient, http, parseEther, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import {
  startWalletProviderStandIn,
  type WalletProviderStandIn,
} from "../../../../../tools/stand-ins/wallet-provider/stand-in.ts";
import type { Sender } from "../sender.ts";
import { makeWalletProvider } from "./index.ts";

const dir = makeTempDir("wallet-provider");
const supervisor = makeSupervisor({ logDir: dir });
let anvil: Anvil;
let standIn: WalletProviderStandIn;
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir, port });
  standIn = await startWalletProviderStandIn({ appId: "app", appSecret: "secret", rpcUrl: anvil.url });
});
afterAll(async () => {
  await standIn.close();
  await anvil.stop();
});

const balanceOf = (address: Hex): Promise<bigint> =>
  createPublicClient({ transport: http(anvil.url) }).getBalance({ address });

async function aSender(timeoutMs = 5000): Promise<{ readonly sender: Sender; readonly address: Hex }> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = makeWalletProvider({
    ...{ url: standIn.url, appId: "app", appSecret: "secret", timeoutMs },
    authorizationKey: () => Promise.resolve(privateKey),
  });
  const { id } = await provider.createQuorum({ displayName: "a", publicKeys: [publicKey], threshold: 1 });
  const { walletId, address } = await standIn.makeWallet(id);
  return { sender: provider.openSender(walletId), address };
}

let last = 0;
const anOrder = (value: bigint) => {
  const word = (++last).toString(16).padStart(2, "0");
  return {
    requestHash: `0x${word.repeat(32)}`,
    chainId: anvil.chainId,
    to: `0x${word.repeat(20)}`,
    value,
    data: "0x",
  } as const;
};

test("a wallet that our key controls sends on the chain, and the order is reported as done", async () => {
  standIn.behave("good");
  const { sender, address } = await aSender();
  expect(await balanceOf(address)).toBe(parseEther("10"));
  const order = anOrder(parseEther("1"));
  const { hash } = await sender.send(order);
  const report = await waitUntil("it is in a block", async () => {
    const found = await sender.find(order.requestHash);
    if (found?.state !== "done") throw new Error("not yet");
    return found;
  });
  expect(report).toMatchObject({ hash, detail: "confirmed" });
  expect(await balanceOf(order.to)).toBe(parseEther("1"));
});

test.each(["timeout-after-accept", "drop-after-accept", "error-after-accept", "lost"] as const)(
  "%s: the money moves once, however often it is retried",
  async (how) => {
    const { sender } = await aSender(1000);
    const order = anOrder(parseEther("2"));
    standIn.behave(how);
    await expect(sender.send(order)).rejects.toThrow();
    for (let time = 0; time < 3; time++) await sender.send(order);
    await waitUntil("it is in a block", async () => {
      if ((await sender.find(order.requestHash))?.state !== "done") throw new Error("not yet");
    });
    expect(await balanceOf(order.to)).toBe(parseEther("2"));
  },
);

test("an order that the wallet cannot pay for is refused, and nothing moves", async () => {
  standIn.behave("good");
  const { sender } = await aSender();
  const order = anOrder(parseEther("11"));
  await expect(sender.send(order)).rejects.toMatchObject({ name: "SenderRefused", status: 400 });
  expect(await sender.find(order.requestHash)).toBeUndefined();
  expect(await balanceOf(order.to)).toBe(0n);
});
