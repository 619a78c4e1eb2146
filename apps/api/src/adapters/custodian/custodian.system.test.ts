// Orders that reach a real chain: what the test double sends and reports, and how the adapter interprets it.
import { randomUUID } from "node:crypto";
import { systemClock } from "@countersign/platform/clock";
import { makeSupervisor, startAnvil, type Anvil } from "@countersign/tools/engines";
import { freePorts, makeTempDir, waitUntil } from "@countersign/tools/testing";
import { createPublicClient, http, keccak256, toHex, type Hex, type PublicClient } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../../tools/stand-ins/custodian/stand-in.ts";
import { aUser } from "../../../../../tools/stand-ins/custodian/testing.ts";
import type { Order, Report, Sender } from "../sender.ts";
import { makeCustodian, type Access } from "./index.ts";

const chainId = 11_155_111;
const dir = makeTempDir("custodian");
const supervisor = makeSupervisor({ logDir: dir });
const receiver = `0x${"cd".repeat(20)}` as const;

let anvil: Anvil;
let chain: PublicClient;
let standIn: CustodianStandIn;
let sender: Sender;
let access: Access & { readonly address: Hex };
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  anvil = await startAnvil({ supervisor, dir, port });
  chain = createPublicClient({ transport: http(anvil.url), cacheTime: 0 });
  standIn = await startCustodianStandIn({ rpcUrl: anvil.url, chainId });
});
beforeEach(async () => {
  standIn.behave("good");
  access = { ...(await aUser(standIn)), environment: "sandbox", region: "US" };
  sender = makeCustodian({
    url: standIn.url,
    assets: { [chainId]: "ETH_TEST5" },
    timeoutMs: 3_000,
    clock: systemClock,
  }).openSender(access);
});
afterAll(async () => {
  await standIn.close();
  await supervisor.stop();
});

const anOrder = (more: Partial<Order> = {}): Order => ({
  requestHash: keccak256(toHex(randomUUID())),
  chainId,
  to: receiver,
  value: 10n ** 15n + 1n,
  data: "0x",
  ...more,
});
const outcomeOf = ({ requestHash }: Order): Promise<Report> =>
  waitUntil("the order is over", async () => {
    const report = await sender.find(requestHash);
    return report === undefined || report.state === "under way" ? false : report;
  });
const sentFrom = async (hash: Hex | null) => {
  const { from, to, value, input } = await chain.getTransaction({ hash: hash ?? "0x" });
  return { from, to, value, input };
};
const asOrdered = (order: Order) => ({
  from: access.address.toLowerCase(),
  to: order.to,
  value: order.value,
  input: order.data,
});
const countOf = () => chain.getTransactionCount({ address: access.address });

describe("an order", () => {
  test("of a transfer is on the chain as ordered, with the reported hash", async () => {
    const order = anOrder();
    await sender.send(order);
    const report = await outcomeOf(order);
    expect(report).toMatchObject({ state: "done", detail: "COMPLETED: CONFIRMED" });
    expect(report.call).toEqual({ to: order.to, value: order.value, data: "0x" });
    expect(await sentFrom(report.hash)).toEqual(asOrdered(order));
  });
  test("with data is on the chain with it", async () => {
    const order = anOrder({ data: "0xa9059cbb", value: 0n });
    await sender.send(order);
    expect(await sentFrom((await outcomeOf(order)).hash)).toEqual(asOrdered(order));
  });
  test("and concurrent ones are each on the chain once", async () => {
    const orders = Array.from({ length: 5 }, () => anOrder());
    await Promise.all([...orders, ...orders].map((order) => sender.send(order)));
    const reports = await Promise.all(orders.map(outcomeOf));
    expect(reports.map(({ state }) => state)).toEqual(orders.map(() => "done"));
    expect(new Set(reports.map(({ hash }) => hash)).size).toBe(5);
    expect(await countOf()).toBe(5);
  });
  test("of more than the balance fails, and the next one is sent", async () => {
    const [poor, good] = [anOrder({ value: 10n ** 24n }), anOrder()];
    await sender.send(poor);
    await sender.send(good);
    expect(await outcomeOf(poor)).toMatchObject({
      state: "failed",
      detail: "FAILED: INSUFFICIENT_FUNDS",
      hash: null,
    });
    expect(await outcomeOf(good)).toMatchObject({ state: "done" });
  });
  test("that reverts has failed, with the hash", async () => {
    // A contract that always reverts.
    const reverter = `0x${"ee".repeat(20)}` as const;
    await fetch(anvil.url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "anvil_setCode",
        params: [reverter, "0x5f5ffd"],
      }),
    });
    const order = anOrder({ to: reverter, data: "0x12345678" });
    await sender.send(order);
    const report = await outcomeOf(order);
    expect(report).toMatchObject({ state: "failed", detail: "FAILED: SMART_CONTRACT_EXECUTION_FAILED" });
    expect(await sentFrom(report.hash)).toEqual(asOrdered(order));
  });
  test("that was signed is not cancelled", async () => {
    const order = anOrder();
    const { theirId } = await sender.send(order);
    await outcomeOf(order);
    await sender.cancel(theirId);
    expect(await sender.find(order.requestHash)).toMatchObject({ state: "done" });
  });
});

describe("faults at the custodian", () => {
  test.each(["timeout-after-accept", "drop-after-accept", "error-after-accept"] as const)(
    "%s: is sent once, though we got no answer and retried",
    async (how) => {
      const order = anOrder();
      standIn.behave(how, 1);
      standIn.behave("lost", 1);
      await expect(sender.send(order)).rejects.toThrow();
      expect(await sender.find(order.requestHash)).toBeUndefined();
      await sender.send(order);
      expect(await outcomeOf(order)).toMatchObject({ state: "done" });
      expect(await countOf()).toBe(1);
    },
  );
  test("other-amount-reported: reports another amount, and sent the right one", async () => {
    const order = anOrder();
    standIn.behave("other-amount-reported", 1);
    await sender.send(order);
    const report = await outcomeOf(order);
    expect(report.call.value).toBe(order.value + 1n);
    expect(await sentFrom(report.hash)).toEqual(asOrdered(order));
  });
  test("other-amount-sent: reports and sent another amount", async () => {
    const order = anOrder();
    standIn.behave("other-amount-sent", 1);
    await sender.send(order);
    const report = await outcomeOf(order);
    expect(report.call.value).toBe(order.value + 1n);
    expect(await sentFrom(report.hash)).toEqual({ ...asOrdered(order), value: order.value + 1n });
  });
  test("other-hash: names an unrelated transaction", async () => {
    const order = anOrder();
    standIn.behave("other-hash", 1);
    await sender.send(order);
    const { hash } = await outcomeOf(order);
    const really = standIn.accepted().find(({ externalTxId }) => externalTxId === order.requestHash)?.txHash;
    expect(hash).not.toBe(really);
    await waitUntil("it is on the chain", () => chain.getTransactionReceipt({ hash: hash ?? "0x" }));
    expect((await sentFrom(hash)).from).not.toBe(access.address.toLowerCase());
    expect(await sentFrom(really ?? null)).toEqual(asOrdered(order));
  });
  test.each([
    ["answer-twice", 1],
    ["answer-twice-and-send", 2],
  ] as const)("%s: is on the chain %i times", async (how, times) => {
    const order = anOrder();
    await sender.send(order);
    standIn.behave(how, 1);
    await sender.send(order);
    const ours = standIn.accepted().filter(({ externalTxId }) => externalTxId === order.requestHash);
    expect(ours).toHaveLength(2);
    await waitUntil("all are over", () => {
      const done = ours.filter(({ status }) => status === "COMPLETED").length;
      return done === times;
    });
    expect(await countOf()).toBe(times);
  });
});
