// Which order is sent, depending on what is known about an earlier request.
import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { SenderRefused, type Order, type Report, type Sender } from "../../adapters/sender.ts";
import type { Rule } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";
import { makeSend } from "./send.ts";

const requestHash: Hex = `0x${"ab".repeat(32)}`;
const report = { theirId: "their-id" } as Report;
const timeout = () => Promise.reject(new Error("could not be reached in time"));

type Given = {
  readonly phase: "EXECUTING" | "BROADCAST" | "READY" | "EXECUTED" | "CONFIRMING" | "LAPSED";
  readonly find?: Sender["find"];
  readonly send?: Sender["send"];
  /** Whether the transaction is abandoned because its time is over. */
  readonly isAbandoned?: boolean;
  /** Parts that differ from the defaults. */
  readonly parts?: Partial<Record<keyof Parameters<typeof makeSend>[0], unknown>>;
  /** How many seconds ago the execution was begun. */
  readonly seconds?: number;
  readonly tx?: null;
};

/** One transaction and one sender. Everything before sending succeeds. */
function aSending({
  phase,
  find = () => Promise.resolve(undefined),
  send,
  isAbandoned = false,
  ...given
}: Given) {
  const orders: Hex[] = [];
  const sent: Order[] = [];
  const opened: unknown[] = [];
  const changes: unknown[] = [];
  const noted: string[] = [];
  const givenUp: (readonly string[])[] = [];
  const transaction = {
    ...{ id: "1", requestHash, phase, chainId: 1 },
    tx: given.tx === null ? null : { to: `0x${"11".repeat(20)}`, value: 1n, data: "0x" },
  } as unknown as Transaction;
  const sender = {
    find,
    send: (order: Parameters<Sender["send"]>[0]) => {
      orders.push(order.requestHash);
      sent.push(order);
      return send === undefined ? Promise.resolve(report) : send(order);
    },
  } as Sender;
  const parts = {
    store: {
      find: () => Promise.resolve(transaction),
      findExecution: () => Promise.resolve({ seconds: given.seconds ?? 1 }),
      noteTheirId: (_: string, theirId: string) => Promise.resolve(void noted.push(theirId)),
    },
    transition: {
      change: (key: unknown, rule: Rule) => {
        changes.push([key, rule(transaction, [])]);
        return Promise.resolve({ after: { phase: "BROADCAST" } });
      },
    },
    senders: {
      open: (_: unknown, purpose: string) => Promise.resolve(void opened.push(purpose)).then(() => sender),
    },
    readVerdict: () => Promise.resolve({}),
    preflight: () => Promise.resolve({ ok: true }),
    giveUp: (_: Hex, why: readonly string[]) => Promise.resolve(void givenUp.push(why)),
    abandonIfStale: () => Promise.resolve(isAbandoned),
    log: makeLog({ app: "test", level: "silent" }),
    ...given.parts,
  } as unknown as Parameters<typeof makeSend>[0];
  return { orders, sent, opened, changes, noted, givenUp, run: () => makeSend(parts)(requestHash) };
}

describe("after the keeper may have been asked", () => {
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
    const sending = aSending({ phase: "BROADCAST", find: timeout, isAbandoned: true });
    expect(await sending.run()).toBe("over");
    expect(sending.orders).toEqual([]);
  });
  test("an order that they have is not sent a second time", async () => {
    const sending = aSending({ phase: "BROADCAST", find: () => Promise.resolve(report) });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([]);
    expect(sending.noted).toEqual(["their-id"]);
  });
  test("an order that they report as unknown is sent again under the same hash", async () => {
    const sending = aSending({ phase: "BROADCAST" });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([requestHash]);
  });
});

describe("before the keeper is asked for the first time", () => {
  test("a lookup that times out does not stop the first request", async () => {
    const sending = aSending({ phase: "EXECUTING", find: timeout });
    expect(await sending.run()).toBe("asked");
    expect(sending.orders).toEqual([requestHash]);
  });
  test("an order that they already have is not sent", async () => {
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
  ["CONFIRMING", "asked"],
  ["EXECUTED", "over"],
  ["LAPSED", "over"],
] as const)("nothing is sent in %s", async (phase, expected) => {
  const sending = aSending({ phase });
  expect(await sending.run()).toBe(expected);
  expect(sending.orders).toEqual([]);
  expect(sending.opened).toEqual([]);
});

test("nothing is sent for an unknown transaction", async () => {
  const store = { find: () => Promise.resolve(undefined) };
  expect(await aSending({ phase: "EXECUTING", parts: { store } }).run()).toBe("over");
});

describe("the order", () => {
  test("is exactly the approved call, sent after BROADCAST is stored", async () => {
    const sending = aSending({ phase: "EXECUTING" });
    expect(await sending.run()).toBe("asked");
    expect(sending.sent).toEqual([
      { requestHash, chainId: 1, to: `0x${"11".repeat(20)}`, value: 1n, data: "0x" },
    ]);
    expect(sending.opened).toEqual(["ask", "send"]);
    const marked = [{ requestHash }, { events: ["broadcast"] }];
    expect(sending.changes).toEqual([marked, marked]);
    expect(sending.noted).toEqual(["their-id"]);
  });
  test("is never sent for a payload that the sender encrypted", async () => {
    const sending = aSending({ phase: "EXECUTING", tx: null });
    expect(await sending.run()).toBe("wait");
    expect(sending.orders).toEqual([]);
  });
  test.each([[undefined], [{ after: { phase: "FAILED" } }]])(
    "is not sent if the transaction may no longer be sent: %j",
    async (changed) => {
      const transition = { change: () => Promise.resolve(changed) };
      const sending = aSending({ phase: "EXECUTING", parts: { transition } });
      expect(await sending.run()).toBe("over");
      expect(sending.orders).toEqual([]);
    },
  );
  test("is not sent without a recorded intent", async () => {
    const store = {
      find: () => Promise.resolve({ id: "1", requestHash, phase: "EXECUTING" }),
      findExecution: () => Promise.resolve(undefined),
    };
    const sending = aSending({ phase: "EXECUTING", parts: { store } });
    expect(await sending.run()).toBe("wait");
    expect(sending.opened).toEqual([]);
  });
});

describe("an obstacle", () => {
  const preflight = (isPassing: boolean) => () =>
    Promise.resolve({ ok: false, reasons: ["no balance", "no gas"], isPassing });
  const readVerdict = () => Promise.resolve({ why: ["no signed verdict"] });

  test("in the preflight ends it, with its reasons", async () => {
    const sending = aSending({ phase: "EXECUTING", parts: { preflight: preflight(false) } });
    expect(await sending.run()).toBe("over");
    expect(sending.givenUp).toEqual([["no balance", "no gas"]]);
    expect(sending.orders).toEqual([]);
  });
  test("that is temporary is waited for", async () => {
    const sending = aSending({ phase: "EXECUTING", parts: { preflight: preflight(true) } });
    expect(await sending.run()).toBe("wait");
    expect([sending.givenUp, sending.orders]).toEqual([[], []]);
  });
  test("in the verdict ends it without a preflight", async () => {
    const parts = { readVerdict, preflight: () => Promise.reject(new Error("not asked")) };
    const sending = aSending({ phase: "EXECUTING", parts });
    expect(await sending.run()).toBe("over");
    expect(sending.givenUp).toEqual([["no signed verdict"]]);
  });
  test("the preflight gets the verdict's expiry", async () => {
    const told: unknown[] = [];
    const parts = {
      readVerdict: () => Promise.resolve({ validUntil: 7 }),
      preflight: (of: Transaction, verdict: unknown) => {
        told.push([of.id, verdict]);
        return Promise.resolve({ ok: true });
      },
    };
    await aSending({ phase: "EXECUTING", parts }).run();
    expect(told).toEqual([["1", { validUntil: 7 }]]);
  });
  test.each([
    [59.9, "wait", 0],
    [60, "over", 1],
  ] as const)("%d s after they were asked for it: %s", async (seconds, expected, givenUp) => {
    const sending = aSending({ phase: "BROADCAST", seconds, parts: { readVerdict } });
    expect(await sending.run()).toBe(expected);
    expect(sending.givenUp).toHaveLength(givenUp);
    expect(sending.orders).toEqual([]);
  });
});

describe("a wallet that may no longer be asked to send", () => {
  const asking = { find: () => Promise.resolve(undefined) };
  const open = (_: unknown, purpose: string) => Promise.resolve(purpose === "ask" ? asking : undefined);

  test("ends it, also if there is a temporary obstacle", async () => {
    for (const preflight of [{ ok: true }, { ok: false, reasons: ["busy"], isPassing: true }]) {
      const parts = { senders: { open }, preflight: () => Promise.resolve(preflight) };
      const sending = aSending({ phase: "EXECUTING", parts });
      expect(await sending.run()).toBe("over");
      expect(sending.givenUp).toEqual([[expect.stringContaining("no longer be asked")]]);
    }
  });
  test("ends it also if the lookup fails", async () => {
    const senders = { open: () => Promise.resolve(undefined) };
    expect(await aSending({ phase: "EXECUTING", parts: { senders } }).run()).toBe("over");
    expect(await aSending({ phase: "BROADCAST", parts: { senders } }).run()).toBe("wait");
  });
});

test("logs why a transaction is not sent, and why sending was interrupted", async () => {
  const logged: unknown[] = [];
  const log = { warn: (_: string, fields: unknown) => logged.push(fields) };
  const error = new Error("away");
  const readVerdict = () => Promise.resolve({ why: ["one", "two"] });
  await aSending({ phase: "EXECUTING", parts: { log, readVerdict } }).run();
  await aSending({ phase: "EXECUTING", parts: { log, readVerdict: () => Promise.reject(error) } }).run();
  expect(logged).toEqual([
    { key: requestHash, reason: "one; two" },
    { key: requestHash, error },
  ]);
});
