import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aNotifyApi,
  ageFailure,
  aReceiver,
  verified,
  type NotifyApi,
  type Receiver,
} from "../../test/notifications.ts";
import { aPerson, aTransaction, registered, type Person } from "../../test/transactions/decide-api.ts";

let made: NotifyApi;
let receiver: Receiver;
let owner: Person;
beforeAll(async () => {
  [made, receiver] = await Promise.all([aNotifyApi(), aReceiver()]);
});
afterAll(async () => {
  await made.close();
  await receiver.close();
});
beforeEach(async () => {
  owner = await aPerson(made);
  await made.deliverAll();
  receiver.received.length = 0;
  receiver.answer = () => 200;
});

type Hook = { readonly id: string; readonly secret: string; readonly path: string };
type View = {
  readonly active: boolean;
  readonly disabledReason: string | null;
  readonly health: Readonly<Record<string, unknown>>;
};

async function aWebhook(more: object = {}, who = owner): Promise<Hook> {
  const path = `/${randomUUID()}`;
  const answer = await made.api.http.send({
    ...{ method: "POST", url: "/webhooks", headers: who.jwt },
    payload: { url: `${receiver.url}${path}`, ...more },
  });
  const { webhook, secret } = answer.json<{ webhook: { id: string }; secret: string }>();
  return { id: webhook.id, secret, path };
}
const read = async (path: string) =>
  (await made.api.http.send({ method: "GET", url: path, headers: owner.jwt })).json<never>();
const view = ({ id }: Hook): Promise<View> => read(`/webhooks/${id}`);
const deliveriesOf = async ({ id }: Hook) =>
  ((await read(`/webhooks/${id}/deliveries`)) as { deliveries: Record<string, unknown>[] }).deliveries;
const receivedBy = ({ path }: Hook) => receiver.received.filter((one) => one.path === path);
const bodiesOf = (hook: Hook) => receivedBy(hook).map((one) => verified(hook.secret, one));
const typesOf = (hook: Hook): readonly string[] => bodiesOf(hook).map(({ type }) => type);

test("delivers every change in order, signed, with the page to decide on", async () => {
  const hook = await aWebhook();
  const { requestHash } = await aTransaction(made, owner, { after: registered });
  await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
  await made.store.change({ requestHash }, () => ({ events: ["userRejects"] }));
  await made.deliverAll();
  expect(typesOf(hook)).toEqual([
    "transaction.proposed",
    "transaction.updated",
    "transaction.needs_decision",
    "transaction.rejected",
  ]);
  expect(bodiesOf(hook).map(({ data }) => data["version"])).toEqual([1, 2, 3, 4]);
  expect(bodiesOf(hook)[2]?.data).toMatchObject({
    account: owner.account,
    requestHash,
    status: "PENDING",
    agent: `jwt:${owner.account}`,
    url: `https://app.example/transactions/${requestHash}`,
  });
  expect(await view(hook)).toMatchObject({ health: { status: "HEALTHY", pending: 0, failures: 0 } });
  expect(await deliveriesOf(hook)).toMatchObject(
    Array.from({ length: 4 }, () => ({ status: "DELIVERED", attempts: 1, answerStatus: 200, error: null })),
  );
});

test("sends no event twice, and none from before the webhook was created", async () => {
  await aTransaction(made, owner);
  const hook = await aWebhook();
  await aTransaction(made, owner);
  await made.deliverAll();
  await made.deliverAll();
  expect(typesOf(hook)).toEqual(["transaction.proposed"]);
});

test("sends only the chosen types, and only about the chosen agents", async () => {
  const agent = `key:${owner.agent.id}`;
  const [ofType, ofAgent] = [
    await aWebhook({ events: ["transaction.rejected"] }),
    await aWebhook({ agents: [agent] }),
  ];
  const [{ requestHash }] = [
    await aTransaction(made, owner),
    await aTransaction(made, owner, { proposer: agent }),
  ];
  await made.store.change({ requestHash }, () => ({ events: ["userRejects"] }));
  await made.deliverAll();
  expect(typesOf(ofType)).toEqual(["transaction.rejected"]);
  expect(bodiesOf(ofAgent)).toMatchObject([{ type: "transaction.proposed", data: { agent } }]);
});

test("sends an account's events to its own webhooks only", async () => {
  const other = await aPerson(made);
  const [mine, theirs] = [await aWebhook(), await aWebhook({}, other)];
  await aTransaction(made, other);
  await made.deliverAll();
  expect(receivedBy(mine)).toEqual([]);
  expect(typesOf(theirs)).toEqual(["transaction.proposed"]);
});

describe("a failed attempt", () => {
  test("is repeated with the same id and body, and later messages wait for it", async () => {
    const hook = await aWebhook();
    await aTransaction(made, owner);
    await aTransaction(made, owner);
    receiver.answer = () => 503;
    await made.deliverAll();
    await made.deliverAll();
    expect(receivedBy(hook)).toHaveLength(1);
    expect(await view(hook)).toMatchObject({
      health: { status: "FAILING", failures: 1, pending: 2, lastError: "Answered 503" },
    });
    receiver.answer = () => 200;
    await made.skipPauses();
    await made.deliverAll();
    const [first, again, second] = receivedBy(hook);
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body]);
    expect(second?.id).not.toBe(first?.id);
    expect(await view(hook)).toMatchObject({ health: { status: "HEALTHY", failures: 0, pending: 0 } });
  });

  test("is given up after ten, and the next message is sent", async () => {
    const hook = await aWebhook();
    const { requestHash } = await aTransaction(made, owner);
    await made.store.change({ requestHash }, () => ({ events: ["userRejects"] }));
    receiver.answer = () => (receivedBy(hook).length < 10 ? 500 : 200);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await made.skipPauses();
      await made.deliverAll();
    }
    await made.skipPauses();
    await made.deliverAll();
    expect(
      new Set(
        receivedBy(hook)
          .slice(0, 10)
          .map(({ id }) => id),
      ).size,
    ).toBe(1);
    expect(typesOf(hook).at(-1)).toBe("transaction.rejected");
    expect(await deliveriesOf(hook)).toMatchObject([
      { status: "DELIVERED", attempts: 1 },
      { status: "FAILED", attempts: 10, answerStatus: 500, error: "Answered 500" },
    ]);
  });

  test("deactivates a webhook that is gone, or that failed for five days", async () => {
    const [gone, failing] = [await aWebhook(), await aWebhook()];
    await aTransaction(made, owner);
    receiver.answer = (path) => (path === gone.path ? 410 : 500);
    await made.deliverAll();
    await ageFailure(made.db, failing.id, 5);
    await made.skipPauses();
    await made.deliverAll();
    expect(await view(gone)).toMatchObject({
      active: false,
      disabledReason: "The receiver answered 410 Gone",
      health: { status: "DISABLED", pending: 0, nextAttemptAt: null },
    });
    expect(await view(failing)).toMatchObject({
      active: false,
      disabledReason: "Every attempt of 5 days failed",
    });
    expect(await deliveriesOf(failing)).toMatchObject([{ status: "FAILED" }]);
    await made.skipPauses();
    await aTransaction(made, owner);
    await made.deliverAll();
    expect([receivedBy(gone).length, receivedBy(failing).length]).toEqual([1, 2]);
  });

  test("counts each attempt for the metrics", async () => {
    await aWebhook();
    await aTransaction(made, owner);
    made.outcomes.length = 0;
    receiver.answer = () => 500;
    await made.deliverAll();
    receiver.answer = () => 200;
    await made.skipPauses();
    await made.deliverAll();
    expect(made.outcomes).toEqual([false, true]);
  });
});

describe("several processes", () => {
  test("queue each event once", async () => {
    const hook = await aWebhook();
    for (let count = 0; count < 20; count++) await aTransaction(made, owner);
    await made.settle();
    await Promise.all(Array.from({ length: 5 }, () => made.queue.queueNext(7)));
    await made.deliverAll();
    expect(new Set(receivedBy(hook).map(({ id }) => id)).size).toBe(20);
    expect(receivedBy(hook)).toHaveLength(20);
  });

  test("never send the messages of one webhook at once", async () => {
    const hook = await aWebhook();
    for (let count = 0; count < 5; count++) await aTransaction(made, owner);
    await made.settle();
    while ((await made.queue.queueNext(100)) > 0);
    await Promise.all(Array.from({ length: 4 }, () => made.deliver(hook.id)));
    expect(receivedBy(hook)).toHaveLength(5);
    expect(new Set(receivedBy(hook).map(({ id }) => id)).size).toBe(5);
  });

  test("start one run of a webhook at a time, and another after a finished one", async () => {
    const hook = await aWebhook();
    await aTransaction(made, owner);
    await made.settle();
    while ((await made.queue.queueNext(100)) > 0);
    const keys = (await Promise.all([1, 2, 3].map(() => made.queue.acceptRuns(100)))).flat();
    expect(keys).toEqual([`${hook.id}.1`]);
    await made.deliver(hook.id);
    await made.flowStore.finish({ flow: "Notify", key: `${hook.id}.1`, attempt: 1 });
    await aTransaction(made, owner);
    expect(await made.deliverAll()).toEqual([`${hook.id}.2`]);
  });
});

test("a step that lost its claim records the message as delivered and sends no other", async () => {
  const hook = await aWebhook();
  await aTransaction(made, owner);
  await aTransaction(made, owner);
  await made.settle();
  while ((await made.queue.queueNext(100)) > 0);
  const lost = { channelId: hook.id, holder: randomUUID() };
  const [message] = await made.sending.listWaiting(hook.id, 1);
  const attempt = { ids: [message?.id ?? ""], status: 200, error: null, durationMs: 1 };
  expect(await made.sending.claim({ channelId: hook.id, holder: randomUUID() })).toBeDefined();
  expect(await made.sending.recordDelivered(lost, attempt)).toBe(false);
  expect((await deliveriesOf(hook)).map(({ status }) => status)).toEqual(["PENDING", "DELIVERED"]);
});

test("signs with both secrets after a rotation", async () => {
  const hook = await aWebhook();
  const rotated = await made.api.http.send({
    ...{ method: "POST", url: `/webhooks/${hook.id}/rotate-secret`, headers: owner.jwt, payload: {} },
  });
  const { secret } = rotated.json<{ secret: string }>();
  await aTransaction(made, owner);
  await made.deliverAll();
  const [message] = receivedBy(hook);
  if (message === undefined) throw new Error("nothing was received");
  expect(verified(hook.secret, message)).toEqual(verified(secret, message));
});

test("signs with the new secret only, once the grace period is over", async () => {
  const hook = await aWebhook();
  const rotated = await made.api.http.send({
    ...{ method: "POST", url: `/webhooks/${hook.id}/rotate-secret`, headers: owner.jwt },
    payload: { graceHours: 0 },
  });
  await aTransaction(made, owner);
  await made.deliverAll();
  const [message] = receivedBy(hook);
  if (message === undefined) throw new Error("nothing was received");
  expect(verified(rotated.json<{ secret: string }>().secret, message)).toMatchObject({
    type: "transaction.proposed",
  });
  expect(() => verified(hook.secret, message)).toThrow();
});

test("redelivers a message under its id, after those that wait", async () => {
  const hook = await aWebhook();
  await aTransaction(made, owner);
  await made.deliverAll();
  const [{ id = "" } = {}] = (await deliveriesOf(hook)) as { id?: string }[];
  await aTransaction(made, owner);
  await made.settle();
  while ((await made.queue.queueNext(100)) > 0);
  const url = `/webhooks/${hook.id}/deliveries/${id}/redeliver`;
  await made.api.http.send({ method: "POST", url, headers: owner.jwt });
  await made.deliverAll();
  const [first, second, again] = receivedBy(hook).map((one) => one.id);
  expect(again).toBe(first);
  expect(second).not.toBe(first);
});

test("deletes old messages and finished flows, and keeps those that wait", async () => {
  const hook = await aWebhook();
  await aTransaction(made, owner);
  await made.deliverAll();
  await aTransaction(made, owner);
  await made.settle();
  while ((await made.queue.queueNext(100)) > 0);
  await sql`update notifications set created_at = now() - interval '31 days'`.execute(made.db);
  await sql`update flows set finished_at = now() - interval '2 days' where flow = 'Notify'`.execute(made.db);
  expect(await made.queue.clear(1000)).toBeGreaterThanOrEqual(2);
  expect(await deliveriesOf(hook)).toMatchObject([{ status: "PENDING" }]);
});
