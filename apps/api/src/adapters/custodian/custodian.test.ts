// Tests the adapter against the test double over HTTP. There is no chain, so orders stop before they are signed.
import { randomUUID } from "node:crypto";
import { systemClock } from "@countersign/platform/clock";
import { keccak256, toHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startCustodianStandIn,
  type CustodianStandIn,
} from "../../../../../tools/stand-ins/custodian/stand-in.ts";
import { anRsaKey, aUser } from "../../../../../tools/stand-ins/custodian/testing.ts";
import { SenderRefused, type Order } from "../sender.ts";
import { makeCustodian, type Access, type Custodian } from "./index.ts";

const chainId = 11_155_111;
const assets = { [chainId]: "ETH_TEST5", 1: "ETH" };

let standIn: CustodianStandIn;
let custodian: Custodian;
let access: Access;
let address: string;
beforeAll(async () => {
  standIn = await startCustodianStandIn({});
  custodian = makeCustodian({ url: standIn.url, assets, timeoutMs: 2_500, clock: systemClock });
  const user = await aUser(standIn);
  ({ address } = user);
  access = { ...user, environment: "sandbox", region: "US" };
});
afterAll(() => standIn.close());
beforeEach(() => {
  standIn.behave("good");
});

const anOrder = (more: Partial<Order> = {}): Order => ({
  requestHash: keccak256(toHex(randomUUID())),
  chainId,
  to: `0x${"cd".repeat(20)}`,
  value: 1_000_000_000_000_000_001n,
  data: "0x",
  ...more,
});
const sender = () => custodian.openSender(access);
const acceptedAs = ({ requestHash }: Order) =>
  standIn.accepted().filter(({ externalTxId }) => externalTxId === requestHash);
const awayAt = (url: string) => makeCustodian({ url, assets, timeoutMs: 300, clock: systemClock });
const nowhere = "http://127.0.0.1:1";

/** Returns the error. Fails if nothing was thrown. */
async function thrownBy(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
}
/** Expects an error that leaves the outcome unknown: the order must not be given up. */
async function expectUnknown(promise: Promise<unknown>, message: string | RegExp): Promise<void> {
  const error = await thrownBy(promise);
  expect(error).not.toBeInstanceOf(SenderRefused);
  expect(error.message).toMatch(message);
}

describe("checking access", () => {
  test("succeeds with the right key and vault", async () => {
    expect(await custodian.check(access)).toBe("good");
  });
  test("is refused for another key, for an unknown API key, and by a custodian that refuses every request", async () => {
    expect(await custodian.check({ ...access, privateKey: anRsaKey().privateKey })).toBe("refused");
    expect(await custodian.check({ ...access, apiKey: randomUUID() })).toBe("refused");
    standIn.behave("refuses");
    expect(await custodian.check(access)).toBe("refused");
  });
  test.each(["99", "", ".", "..", "../../vault/accounts/0", "0/ETH_TEST5", "0?x=1", "0#"])(
    "finds no vault with the id %j",
    async (vaultAccountId) => {
      expect(await custodian.check({ ...access, vaultAccountId })).toBe("no such vault");
    },
  );
  test("does not find another customer's vault", async () => {
    const other = await aUser(standIn);
    expect(await custodian.check({ ...access, vaultAccountId: other.vaultAccountId })).toBe("no such vault");
  });
  test("reports an unavailable custodian as unreachable", async () => {
    standIn.behave("down");
    expect(await custodian.check(access)).toBe("unreachable");
    expect(await awayAt(nowhere).check(access)).toBe("unreachable");
  });
  test("is refused when our clock is two minutes slow", async () => {
    const late = { now: () => new Date(systemClock.now().getTime() - 120_000) };
    const behind = makeCustodian({ url: standIn.url, assets, timeoutMs: 2_500, clock: late });
    expect(await behind.check(access)).toBe("refused");
  });
});

describe("the address of a vault", () => {
  test("is in lower case", async () => {
    expect(await custodian.readAddress(access, chainId)).toBe(address.toLowerCase());
  });
  test("is undefined on a chain that the vault or the service does not support", async () => {
    expect(await custodian.readAddress(access, 1)).toBeUndefined();
    expect(await custodian.readAddress(access, 5)).toBeUndefined();
  });
  test("is undefined for an unknown vault", async () => {
    expect(await custodian.readAddress({ ...access, vaultAccountId: "99" }, chainId)).toBeUndefined();
  });
  test("throws when the custodian is unavailable", async () => {
    standIn.behave("refuses", 1);
    await expect(custodian.readAddress(access, chainId)).rejects.toThrow("answered 401");
    await expect(awayAt(nowhere).readAddress(access, chainId)).rejects.toThrow("could not be reached");
  });
});

describe("an order", () => {
  test("is accepted, and found by its hash", async () => {
    const order = anOrder({ data: "0xa9059cbb" });
    expect(await sender().find(order.requestHash)).toBeUndefined();
    const sent = await sender().send(order);
    expect(sent).toEqual({
      theirId: sent.theirId,
      state: "under way",
      detail: "SUBMITTED",
      hash: null,
      call: {},
    });
    expect(await sender().find(order.requestHash)).toEqual({
      theirId: sent.theirId,
      state: "under way",
      detail: "PENDING_SIGNATURE",
      hash: null,
      call: { to: order.to, value: order.value, data: order.data },
    });
    expect(acceptedAs(order)).toMatchObject([{ to: order.to, value: order.value, data: order.data }]);
  });
  test("sent twice, concurrently or later, is accepted once", async () => {
    const order = anOrder();
    const [one, other] = await Promise.all([sender().send(order), sender().send(order)]);
    const third = await sender().send(order);
    expect([other.theirId, third.theirId]).toEqual([one.theirId, one.theirId]);
    standIn.forgetIdempotencyKeys();
    expect(await sender().send(order)).toMatchObject({ theirId: one.theirId, detail: "PENDING_SIGNATURE" });
    expect(acceptedAs(order)).toHaveLength(1);
  });
  test("has an unknown outcome if the custodian accepted it before but does not find it", async () => {
    const order = anOrder();
    await sender().send(order);
    standIn.forgetIdempotencyKeys();
    standIn.behave("lost", 1);
    await expectUnknown(sender().send(order), "does not find it");
  });
  test("with the hash of an earlier order is reported as the earlier order", async () => {
    const order = anOrder();
    await sender().send(order);
    expect(await sender().send({ ...order, value: 5n })).toMatchObject({ call: { value: order.value } });
    expect(acceptedAs(order)).toHaveLength(1);
  });
  test("can be cancelled before it is signed, and not after", async () => {
    const order = anOrder();
    const { theirId } = await sender().send(order);
    await sender().cancel(theirId);
    expect(await sender().find(order.requestHash)).toMatchObject({
      state: "failed",
      detail: "CANCELLED: CANCELLED_BY_USER",
    });
    await sender().cancel(theirId);
    await sender().cancel(randomUUID());
  });
  test.each(["", ".", ".."])("is not cancelled by a malformed id: %j", async (id) => {
    const before = standIn.requests().length;
    await expect(sender().cancel(id)).rejects.toThrow("malformed id");
    expect(standIn.requests()).toHaveLength(before);
  });
  test("cannot be cancelled while the custodian is unavailable", async () => {
    standIn.behave("down");
    await expectUnknown(sender().cancel("1"), "could not be reached");
  });
});

describe("an order is refused for good", () => {
  const refused = async (promise: Promise<unknown>, message: string): Promise<void> => {
    const error = await thrownBy(promise);
    expect(error).toBeInstanceOf(SenderRefused);
    expect(error.message).toContain(message);
  };
  test("on a chain without an asset id, before any request is sent", async () => {
    const before = standIn.requests().length;
    await refused(sender().send(anOrder({ chainId: 5 })), "no asset for this chain");
    expect(standIn.requests()).toHaveLength(before);
  });
  test("for an asset that the custodian does not know, with its message", async () => {
    await refused(
      sender().send(anOrder({ chainId: 1 })),
      "does not accept this order: 1427 Unsupported asset",
    );
  });
  test("from an unknown vault", async () => {
    const elsewhere = custodian.openSender({ ...access, vaultAccountId: "99" });
    await refused(elsewhere.send(anOrder()), "does not know the vault");
  });
  test("with an invalid credential", async () => {
    const stranger = custodian.openSender({ ...access, privateKey: anRsaKey().privateKey });
    await refused(stranger.send(anOrder()), "does not accept our credential");
  });
});

describe("faults of the custodian", () => {
  test.each(["timeout-after-accept", "drop-after-accept"] as const)(
    "%s: unknown outcome, and found afterwards",
    async (how) => {
      const order = anOrder();
      standIn.behave(how, 1);
      await expectUnknown(sender().send(order), "could not be reached, or did not answer in time");
      expect(await sender().find(order.requestHash)).toMatchObject({ state: "under way" });
      await sender().send(order);
      expect(acceptedAs(order)).toHaveLength(1);
    },
  );
  test("error-after-accept: unknown outcome, and found afterwards", async () => {
    const order = anOrder();
    standIn.behave("error-after-accept", 1);
    await expectUnknown(sender().send(order), "the custodian answered 500");
    expect(await sender().find(order.requestHash)).toMatchObject({ state: "under way" });
  });
  test("lost: nothing is found, and sending again leaves one order", async () => {
    const order = anOrder();
    standIn.behave("timeout-after-accept", 1);
    standIn.behave("lost", 1);
    await expectUnknown(sender().send(order), "in time");
    expect(await sender().find(order.requestHash)).toBeUndefined();
    await sender().send(order);
    expect(acceptedAs(order)).toHaveLength(1);
  });
  test("answer-twice: the same order gets another id", async () => {
    const order = anOrder();
    const first = await sender().send(order);
    standIn.behave("answer-twice", 1);
    const second = await sender().send(order);
    expect(second.theirId).not.toBe(first.theirId);
    expect(await sender().find(order.requestHash)).toMatchObject({ theirId: first.theirId });
  });
  test.each(["other-amount-reported", "other-amount-sent"] as const)(
    "%s: the reported amount differs from the order",
    async (how) => {
      const order = anOrder();
      standIn.behave(how, 1);
      await sender().send(order);
      expect((await sender().find(order.requestHash))?.call.value).toBe(order.value + 1n);
    },
  );
  test.each([
    ["rejects", "failed", "REJECTED: BLOCKED_BY_POLICY"],
    ["fails", "failed", "FAILED: INTERNAL_ERROR"],
    ["blocked-forever", "under way", "PENDING_AUTHORIZATION"],
  ] as const)("%s: accepted, and %s", async (how, state, detail) => {
    const order = anOrder();
    standIn.behave(how, 1);
    await sender().send(order);
    expect(await sender().find(order.requestHash)).toMatchObject({ state, detail, hash: null });
  });
  test("refuses: sending is refused, but an order in progress is not reported as failed", async () => {
    standIn.behave("refuses");
    await expect(sender().send(anOrder())).rejects.toBeInstanceOf(SenderRefused);
    await expectUnknown(sender().find(anOrder().requestHash), "answered 401");
  });
  test("down: unknown outcome", async () => {
    standIn.behave("down");
    await expectUnknown(sender().send(anOrder()), "could not be reached");
    await expectUnknown(sender().find(anOrder().requestHash), "could not be reached");
    await expectUnknown(awayAt(nowhere).openSender(access).send(anOrder()), "could not be reached");
  });
});
