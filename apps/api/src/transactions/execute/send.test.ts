// What is sent, and what is not, by what is known of an earlier request.
import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { SenderRefused, type Report, type Sender } from "../../adapters/sender.ts";
import type { Hex, Transaction } from "../transaction.ts";
import { makeSend } from "./send.ts";

const requestHash: Hex = `0x${"ab".repeat(32)}`;
const report = { theirId: "their-id" } as Report;
const timeout = () => Promise.reject(new Error("could not be asked in time"));

type Given = {
  readonly phase: "EXECUTING" | "BROADCAST" | "READY" | "EXECUTED";
  readonly find?: Sender["find"];
  readonly send?: Sender["send"];
  /** Is the transaction given up because its time is over? */
  readonly isHopeless?: boolean;
};

/** One transaction, at one sender. Everything before the sending is in order. */
function aSending({ phase, find = () => Promise.resolve(undefined), send, isHopeless = false }: Given) {
  const orders: Hex[] = [];
  const noted: string[] = [];
  const givenUp: (readonly string[])[] = [];
  const transaction = {
    ...{ id: "1", requestHash, phase, chainId: 1 },
    tx: { to: `0x${"11".repeat(20)}`, value: 1n, data: "0x" },
  } as unknown as Transaction;
  const sender = {
    find,
    send: (order: Parameters<Sender["send"]>[0]) => {
      orders.push(order.requestHash);
      return send === undefined ? Promise.resolve(report) : send(order);
    },
  } as Sender;
  const parts = {
    store: {
      find: () => Promise.resolve(transaction),
      findExecution: () => Promise.resolve({ seconds: 1 }),
      noteTheirId: (_: string, theirId: string) => Promise.resolve(void noted.push(theirId)),
    },
    transition: { change: () => Promise.resolve({ after: { phase: "BROADCAST" } }) },
    senders: { open: () => Promise.resolve(sender) },
    readVerdict: () => Promise.resolve({}),
    preflight: () => Promise.resolve({ ok: true }),
    giveUp: (_: Hex, why: readonly string[]) => Promise.resolve(void givenUp.push(why)),
    loseHope: () => Promise.resolve(isHopeless),
    log: makeLog({ app: "test", level: "silent" }),
  } as unknown as Parameters<typeof makeSend>[0];
  return { orders, noted, givenUp, run: () => makeSend(parts)(requestHash) };
}

describe("once they may have been asked", () => {
  test("a lookup that times out sends nothing, however often", async () => {
    const sending = aSending({ phase: "BROADCAST", find: timeout });
    for (let round = 0; round < 5; round++) expect(await sending.run()).toBe("wait");
    expect(sending.orders).toEqual([]);
    expect(sending.noted).toEqual([]);
    expect(sending.givenUp).toEqual([]);
  });
  test("a lookup that is refused sends nothing either: the order may have been taken before", async () => {
    const refused = () => Promise.reject(new SenderRefused("the credential is no longer good"));
    const sending = aSending({ phase: "BROADCAST", find: refused });
    expect(await sending.run()).toBe("wait");
    expect(sending.orders).toEqual([]);
    expect(sending.givenUp).toEqual([]);
  });
  test("a lookup that times out ends the wait only when the transaction's time is over", async () => {
    const sending = aSending({ phase: "BROADCAST", find: timeout, isHopeless: true });
    expect(await sending.run()).toBe("over");
    expect(sending.orders).toEqual([]);
  });
  test("an order that they have is not sent a second time", async () => {
    const sending = aSending({ phase: "BROADCAST", find: () => Promise.resolve(report) });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([]);
    expect(sending.noted).toEqual(["their-id"]);
  });
  test("an order that they say they do not have is sent again under the same hash", async () => {
    const sending = aSending({ phase: "BROADCAST" });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([requestHash]);
  });
});

describe("before they are asked for the first time", () => {
  test("a lookup that times out does not stop the first request", async () => {
    const sending = aSending({ phase: "EXECUTING", find: timeout });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([requestHash]);
  });
  test("an order that they have all the same is not sent", async () => {
    const sending = aSending({ phase: "EXECUTING", find: () => Promise.resolve(report) });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([]);
  });
  test("a request that times out is waited for, not given up", async () => {
    const sending = aSending({ phase: "EXECUTING", send: timeout });
    expect(await sending.run()).toBe("wait");
    expect(sending.givenUp).toEqual([]);
  });
  test("a request that is refused is given up", async () => {
    const refused = () => Promise.reject(new SenderRefused("no"));
    const sending = aSending({ phase: "EXECUTING", send: refused });
    expect(await sending.run()).toBe("over");
    expect(sending.givenUp).toEqual([["no"]]);
  });
});

test.each([
  ["READY", "asked"],
  ["EXECUTED", "over"],
] as const)("nothing is sent in %s", async (phase, expected) => {
  const sending = aSending({ phase });
  expect(await sending.run()).toBe(expected);
  expect(sending.orders).toEqual([]);
});
