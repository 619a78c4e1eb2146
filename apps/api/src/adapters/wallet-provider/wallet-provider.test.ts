// Against the test double, which checks every signature with separate code.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Hex } from "@countersign/wire";
import {
  startWalletProviderStandIn,
  type WalletProviderStandIn,
} from "../../../../../tools/stand-ins/wallet-provider/stand-in.ts";
import { SenderRefused, type Order, type Sender } from "../sender.ts";
import { makeWalletProvider, ProviderRefused, type WalletProvider } from "./index.ts";

const appId = "app-1";
const appSecret = "canary-secret-of-the-app";
const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const ours = pair();

let standIn: WalletProviderStandIn;
let provider: WalletProvider;
beforeEach(async () => {
  standIn = await startWalletProviderStandIn({ appId, appSecret });
  provider = make();
});
afterEach(() => standIn.close());

const make = (more: Partial<Parameters<typeof makeWalletProvider>[0]> = {}): WalletProvider =>
  makeWalletProvider({
    ...{ url: standIn.url, appId, appSecret, timeoutMs: 2000 },
    authorizationKey: () => Promise.resolve(ours.privateKey),
    ...more,
  });
const quorumOf = (publicKeys: readonly KeyObject[], threshold = 1) => ({
  displayName: "Ours",
  publicKeys,
  threshold,
});

const requestHash: Hex = `0x${"AB".repeat(32)}`;
const order: Order = {
  requestHash,
  chainId: 11_155_111,
  to: `0x${"11".repeat(20)}`,
  value: 10n ** 18n,
  data: "0xdeadbeef",
};
const reference = "ab".repeat(32);

async function aSender(by = provider): Promise<{ sender: Sender; walletId: string; address: Hex }> {
  const { id } = await provider.createQuorum(quorumOf([ours.publicKey]));
  const { walletId, address } = await standIn.makeWallet(id);
  return { sender: by.openSender(walletId), walletId, address };
}

const errorOf = async (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => error as Error,
  );

/** The order may have been sent. The error must not claim otherwise. */
async function expectUnknown(promise: Promise<unknown>): Promise<void> {
  const error = await errorOf(promise);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(SenderRefused);
}

const expectRefused = async (promise: Promise<unknown>, status: number): Promise<void> => {
  const error = await errorOf(promise);
  expect(error).toBeInstanceOf(SenderRefused);
  expect(error).toMatchObject({ status });
};

describe("quorums", () => {
  test("one with our key can be created, changed and deleted with our signature", async () => {
    const { id } = await provider.createQuorum(quorumOf([ours.publicKey]));
    await provider.updateQuorum(id, quorumOf([ours.publicKey, pair().publicKey], 2));
    // Two must sign from now on, and we have one key.
    await expectRefused(provider.deleteQuorum(id), 401);
    const other = await provider.createQuorum(quorumOf([ours.publicKey]));
    await provider.deleteQuorum(other.id);
    await expectRefused(provider.deleteQuorum(other.id), 404);
  });

  test("one without our key can be created, and changed by its members alone", async () => {
    const { id } = await provider.createQuorum(quorumOf([pair().publicKey]));
    await expectRefused(provider.updateQuorum(id, quorumOf([ours.publicKey])), 401);
    await expectRefused(provider.deleteQuorum(id), 401);
  });

  test("is created once per idempotency key", async () => {
    const ask = () => provider.createQuorum(quorumOf([ours.publicKey]), "static");
    const first = await ask();
    expect(await ask()).toEqual(first);
    expect(await provider.createQuorum(quorumOf([ours.publicKey]))).not.toEqual(first);
    await expectUnknown(provider.createQuorum(quorumOf([pair().publicKey]), "static"));
  });

  test("that the provider does not accept is refused", async () => {
    await expectRefused(provider.createQuorum(quorumOf([ours.publicKey], 2)), 400);
    await expectRefused(provider.createQuorum(quorumOf([ours.publicKey, ours.publicKey])), 400);
  });
});

describe("a wallet", () => {
  test("is read with its address and its quorum", async () => {
    const { walletId, address } = await aSender();
    expect(await provider.readWallet(walletId)).toEqual({
      id: walletId,
      address: address.toLowerCase(),
    });
    await expectRefused(provider.readWallet("unknown"), 404);
  });

  test.each(["..", "a/b", "a?b", "", "a b", "x".repeat(201)])(
    "with the id %j is not looked up",
    async (id) => {
      const asked: string[] = [];
      // Would answer for any wallet, so only an id that is never sent can be refused.
      const obliging = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ id, address: `0x${"11".repeat(20)}` }));
      });
      await new Promise<void>((listening) => obliging.listen(0, "127.0.0.1", listening));
      onTestFinished(() => void obliging.close());
      const { port } = obliging.address() as AddressInfo;
      const trusting = make({ url: `http://127.0.0.1:${port}` });
      expect(await trusting.readWallet("a_b-c:1").catch(String)).toContain("about another wallet");
      expect(asked).toEqual(["/v1/wallets/a_b-c:1"]);
      await expect(trusting.readWallet(id)).rejects.toThrow();
      expect(() => trusting.openSender(id)).toThrow();
      await expect(trusting.deleteQuorum(id)).rejects.toThrow();
      await expect(trusting.updateQuorum(id, quorumOf([ours.publicKey]))).rejects.toThrow();
      expect(asked).toHaveLength(1);
    },
  );
});

describe("sending", () => {
  test("sends exactly the order under its request hash, and finds it again", async () => {
    const { sender, walletId } = await aSender();
    expect(await sender.find(requestHash)).toBeUndefined();
    const report = await sender.send(order);
    const { to, value, data, chainId } = order;
    expect(standIn.accepted()).toMatchObject([
      { to, value, data, chainId, walletId, referenceId: reference, hash: report.hash },
    ]);
    expect(report).toMatchObject({ state: "under way", call: {} });
    expect(await sender.find(requestHash)).toEqual({ ...report, detail: "broadcasted" });
  });

  test.each([0n, 15n, 16n, 2n ** 256n - 1n])("keeps the amount %d to the digit", async (value) => {
    const { sender } = await aSender();
    await sender.send({ ...order, value, data: "0x" });
    expect(standIn.accepted()).toMatchObject([{ value, data: "0x" }]);
  });

  test("repeated or concurrent requests send it once", async () => {
    const { sender } = await aSender();
    const reports = await Promise.all(
      [sender.send(order), sender.send(order)].map((one) => one.catch(String)),
    );
    await sender.send(order);
    expect(standIn.accepted()).toHaveLength(1);
    expect(reports).toHaveLength(2);
  });

  test("an existing order under the hash is reported, and not treated as refused", async () => {
    const { sender } = await aSender();
    const first = await sender.send(order);
    // Another body under the same key: neither side can tell which was sent.
    await expectUnknown(sender.send({ ...order, value: 1n }));
    // In another letter case it is the same order.
    const lowerCase: Order = { ...order, requestHash: requestHash.toLowerCase() as Hex };
    expect(await sender.send(lowerCase)).toMatchObject({ theirId: first.theirId });
    expect(standIn.accepted()).toHaveLength(1);
  });

  test("a wallet whose quorum does not include our key is not moved", async () => {
    const { id } = await provider.createQuorum(quorumOf([pair().publicKey]));
    const { walletId } = await standIn.makeWallet(id);
    await expectRefused(provider.openSender(walletId).send(order), 401);
    expect(standIn.accepted()).toEqual([]);
  });

  test("one signature is not enough where two are needed", async () => {
    const { id } = await provider.createQuorum(quorumOf([ours.publicKey, pair().publicKey], 2));
    const { walletId } = await standIn.makeWallet(id);
    await expectRefused(provider.openSender(walletId).send(order), 401);
  });

  test("a key outside the quorum is refused, and so is another app", async () => {
    const wrongKey = make({ authorizationKey: () => Promise.resolve(pair().privateKey) });
    await expectRefused((await aSender(wrongKey)).sender.send(order), 401);
    await expectRefused((await aSender(make({ appSecret: "wrong" }))).sender.find(requestHash), 401);
    expect(standIn.accepted()).toEqual([]);
  });

  test("an order under another wallet is neither reported nor sent again", async () => {
    await (await aSender()).sender.send(order);
    const other = (await aSender()).sender;
    await expectUnknown(other.find(requestHash));
    await expectUnknown(other.send(order));
    expect(standIn.accepted()).toHaveLength(1);
  });

  test.each([
    ["broadcasted", "under way"],
    ["pending", "under way"],
    ["confirmed", "done"],
    ["execution_reverted", "done"],
    ["failed", "failed"],
    ["replaced", "under way"],
    ["provider_error", "under way"],
    ["something new", "under way"],
  ])("their %j is %j to us", async (status, state) => {
    const { sender } = await aSender();
    await sender.send(order);
    standIn.say(reference, status);
    expect(await sender.find(requestHash)).toMatchObject({ state, detail: status });
  });

  test("cancelling does nothing, because they do not support it", async () => {
    const { sender } = await aSender();
    const { theirId } = await sender.send(order);
    await sender.cancel(theirId);
    expect(await sender.find(requestHash)).toMatchObject({ theirId, state: "under way" });
  });
});

describe("when the provider fails", () => {
  test.each(["timeout-after-accept", "drop-after-accept", "error-after-accept", "lost"] as const)(
    "%s: the outcome is unknown, the order is found later, and is sent once",
    async (how) => {
      const { sender } = await aSender(make({ timeoutMs: 1500 }));
      standIn.behave(how);
      await expectUnknown(sender.send(order));
      const notYet = how === "lost" ? 2 : 0;
      for (let time = 0; time < notYet; time++) expect(await sender.find(requestHash)).toBeUndefined();
      const found = await sender.find(requestHash);
      expect(found).toMatchObject({ state: "under way", hash: expect.stringMatching(/^0x/) as string });
      expect(await sender.send(order)).toMatchObject({ theirId: found?.theirId });
      expect(standIn.accepted()).toHaveLength(1);
    },
  );

  test("fails: the lookup reports it, without a hash", async () => {
    const { sender } = await aSender();
    standIn.behave("fails");
    expect(await sender.send(order)).toMatchObject({ state: "under way", hash: null });
    expect(await sender.find(requestHash)).toMatchObject({ state: "failed", hash: null });
  });

  test("refuses: final", async () => {
    const { sender } = await aSender();
    standIn.behave("refuses");
    await expectRefused(sender.send(order), 400);
  });

  test("other-amount-sent: only the chain shows it", async () => {
    const { sender } = await aSender();
    standIn.behave("other-amount-sent");
    expect(await sender.send(order)).toMatchObject({ call: {} });
    expect(standIn.accepted()).toMatchObject([{ value: order.value + 1n }]);
  });

  test.each(["down", "redirects", "endless"] as const)("%s: the outcome is unknown", async (how) => {
    const { sender, walletId } = await aSender();
    standIn.behave(how);
    await expectUnknown(sender.find(requestHash));
    await expectUnknown(sender.send(order));
    await expectUnknown(provider.readWallet(walletId));
    await expectUnknown(provider.createQuorum(quorumOf([ours.publicKey])));
  });

  test("a refusal without a lookup has an unknown outcome", async () => {
    const { sender } = await aSender();
    standIn.behave("refuses");
    const sending = errorOf(sender.send(order));
    expect(await sending).toBeInstanceOf(ProviderRefused);
    standIn.behave("down");
    await expectUnknown(sender.send(order));
  });

  test("no error contains a secret, even if the provider repeats it", async () => {
    const { sender, walletId } = await aSender(make({ timeoutMs: 300 }));
    const told: string[] = [];
    for (const how of ["leaks", "down", "redirects", "endless", "refuses", "timeout-after-accept"] as const) {
      standIn.behave(how);
      for (const ask of [
        () => sender.send(order),
        () => sender.find(requestHash),
        () => provider.readWallet(`${walletId}0`),
        () => provider.createQuorum(quorumOf([ours.publicKey], 7)),
      ])
        await ask().catch((error: unknown) => {
          const { message, stack, cause, ...rest } = error as Error;
          told.push(JSON.stringify({ message, stack, cause: String(cause), rest }));
        });
    }
    expect(told.length).toBeGreaterThan(15);
    const basic = Buffer.from(`${appId}:${appSecret}`).toString("base64");
    for (const text of told) for (const secret of [appSecret, basic]) expect(text).not.toContain(secret);
  });
});
