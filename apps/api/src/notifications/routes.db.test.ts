import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aNotifyApi, aReceiver, verified, type NotifyApi, type Receiver } from "../../test/notifications.ts";
import { exceedLimit } from "../../test/test-api.ts";
import { aPerson, aTransaction, type Person } from "../../test/transactions/decide-api.ts";

let made: NotifyApi;
let receiver: Receiver;
let owner: Person;
let other: Person;
beforeAll(async () => {
  [made, receiver] = await Promise.all([aNotifyApi(), aReceiver()]);
});
afterAll(async () => {
  await made.close();
  await receiver.close();
});
beforeEach(async () => {
  [owner, other] = [await aPerson(made), await aPerson(made)];
  receiver.received.length = 0;
  receiver.answer = () => 200;
});

type Headers = Record<string, string>;
type Method = "GET" | "POST" | "PATCH" | "DELETE";
const send = (method: Method, url: string, headers: Headers = owner.jwt, payload?: object) =>
  made.api.http.send({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const limited = (method: Method, url: string, most?: number) => exceedLimit(made.api, { method, url }, most);
const errorCode = (answer: Awaited<ReturnType<typeof send>>) => answer.headers["x-error-code"];

type Webhook = { readonly id: string; readonly health: object };
type New = { readonly webhook: Webhook; readonly secret: string };
const create = (more: object = {}, headers: Headers = owner.jwt) =>
  send("POST", "/webhooks", headers, { url: `${receiver.url}/hook`, ...more });
const aWebhook = async (more: object = {}): Promise<New> => (await create(more)).json<New>();
type Listed = { readonly deliveries: { readonly id: string }[]; readonly next: string | null };
const deliveriesOf = async (id: string, query = ""): Promise<Listed> =>
  (await send("GET", `/webhooks/${id}/deliveries${query}`)).json<Listed>();

/** The endpoints about one webhook: each is unknown to others, and needs the owner. */
async function refusesOthers(method: Method, pathOf: (id: string) => string, payload?: object) {
  const { webhook } = await aWebhook();
  for (const [id, headers] of [
    [randomUUID(), owner.jwt],
    [webhook.id, other.jwt],
  ] as const) {
    const answer = await send(method, pathOf(id), headers, payload);
    expect([answer.statusCode, errorCode(answer)]).toEqual([404, "webhooks.not-found"]);
  }
}
const refusesKeys = async (method: Method, path: string, payload?: object) => {
  for (const headers of [{}, owner.agent.headers])
    expect((await send(method, path, headers, payload)).statusCode).toBe(401);
};

describe("POST /webhooks", () => {
  test("201: the webhook, and its secret this once", async () => {
    const agents = [`key:${owner.agent.id}`];
    const answer = await create({ description: "Ops", events: ["transaction.executed"], agents });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      webhook: {
        id: expect.any(String) as string,
        url: `${receiver.url}/hook`,
        description: "Ops",
        events: ["transaction.executed"],
        agents,
        active: true,
        disabledReason: null,
        health: {
          ...{ status: "HEALTHY", failures: 0, failingSince: null, lastDeliveredAt: null },
          ...{ lastFailedAt: null, lastError: null, pending: 0, nextAttemptAt: null },
        },
        previousSecretUntil: null,
        createdAt: expect.any(String) as string,
      },
    });
    const { secret } = answer.json<New>();
    expect((await send("GET", "/webhooks")).body).not.toContain(secret.slice(6));
  });
  test("201: with a signed request", async () => {
    const payload = JSON.stringify({ url: "https://receiver.example/hook?token=1" });
    const headers = {
      ...(await owner.sign("POST", "/webhooks", payload)),
      "content-type": "application/json",
    };
    const answer = await made.api.http.send({ method: "POST", url: "/webhooks", headers, payload });
    expect(answer.statusCode).toBe(201);
  });
  test.each([
    ["no URL", { url: "nonsense" }],
    ["http", { url: "http://receiver.example/" }],
    ["another scheme", { url: "ftp://receiver.example/" }],
    ["a private address", { url: "https://10.0.0.1/" }],
    ["a mapped private address", { url: "https://[::ffff:10.0.0.1]/" }],
    ["the metadata service of a cloud", { url: "https://169.254.169.254/latest/meta-data" }],
    ["a password", { url: "https://me:secret@receiver.example/" }],
    ["a fragment", { url: "https://receiver.example/#a" }],
  ])("400: a URL that is not allowed: %s", async (_, more) => {
    const answer = await create(more);
    expect([answer.statusCode, errorCode(answer)]).toEqual([400, "webhooks.url-not-allowed"]);
  });
  test.each([
    ["a long URL", { url: `https://receiver.example/${"a".repeat(2048)}` }],
    ["an unknown type", { events: ["transaction.vanished"] }],
    ["a malformed agent", { agents: ["bob"] }],
    ["a description with a hidden character", { description: "Ops\u202E" }],
  ])("400: %s", async (_, more) => {
    expect((await create(more)).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", "/webhooks", { url: "https://receiver.example/" });
  });
  test("409: an eleventh one, also if they are created at once", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 409, 409]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/webhooks")).toBe(429);
  });
});

describe("GET /webhooks", () => {
  test("200: the owner's, oldest first", async () => {
    const ids = [(await aWebhook()).webhook.id, (await aWebhook()).webhook.id];
    await create({}, other.jwt);
    const answer = await send("GET", "/webhooks");
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Webhook[]>().map(({ id }) => id)).toEqual(ids);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("GET", "/webhooks");
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/webhooks")).toBe(429);
  });
});

describe("GET /webhooks/{id}", () => {
  test("200: with the messages that wait, and when they are sent", async () => {
    const { webhook } = await aWebhook();
    receiver.answer = () => 500;
    await aTransaction(made, owner);
    await made.deliverAll();
    const answer = await send("GET", `/webhooks/${webhook.id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      id: webhook.id,
      health: { status: "FAILING", pending: 1, nextAttemptAt: expect.any(String) as string },
    });
  });
  test("400: a malformed id", async () => {
    expect((await send("GET", "/webhooks/1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("GET", `/webhooks/${randomUUID()}`);
  });
  test("404: an unknown one, and another owner's", async () => {
    await refusesOthers("GET", (id) => `/webhooks/${id}`);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", `/webhooks/${randomUUID()}`)).toBe(429);
  });
});

describe("PATCH /webhooks/{id}", () => {
  test("200: changes the given members only", async () => {
    const { webhook } = await aWebhook({ description: "Ops", events: ["transaction.alert"] });
    const answer = await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { active: false });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ...webhook, active: false });
    const url = `${receiver.url}/other`;
    const changed = await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { url, events: [] });
    expect(changed.json()).toEqual({ ...webhook, active: false, url, events: [] });
  });
  test("200: queues nothing while it is inactive", async () => {
    const { webhook } = await aWebhook();
    await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { active: false });
    await aTransaction(made, owner);
    await made.deliverAll();
    await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { active: true });
    await made.deliverAll();
    expect(receiver.received).toEqual([]);
  });
  test("200: activates one that was disabled, and sends what waits at once", async () => {
    const { webhook } = await aWebhook();
    receiver.answer = () => 410;
    await aTransaction(made, owner);
    await made.deliverAll();
    const answer = await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { active: true });
    expect(answer.json()).toMatchObject({
      active: true,
      disabledReason: null,
      health: { status: "HEALTHY" },
    });
    receiver.answer = () => 500;
    await aTransaction(made, owner);
    await made.deliverAll();
    receiver.answer = () => 200;
    await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { description: "fixed" });
    await made.deliverAll();
    expect(receiver.received.map(({ status }) => status)).toEqual([410, 500, 200]);
  });
  test("400: a URL that is not allowed", async () => {
    const { webhook } = await aWebhook();
    const answer = await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { url: "https://10.0.0.1/" });
    expect([answer.statusCode, errorCode(answer)]).toEqual([400, "webhooks.url-not-allowed"]);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("PATCH", `/webhooks/${randomUUID()}`, {});
  });
  test("404: an unknown one, and another owner's", async () => {
    await refusesOthers("PATCH", (id) => `/webhooks/${id}`, { active: false });
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("PATCH", `/webhooks/${randomUUID()}`)).toBe(429);
  });
});

describe("DELETE /webhooks/{id}", () => {
  test("200: it is gone, with the messages that wait", async () => {
    const { webhook } = await aWebhook({ url: `${receiver.url}/deleted` });
    receiver.answer = () => 500;
    await aTransaction(made, owner);
    await made.deliverAll();
    const answer = await send("DELETE", `/webhooks/${webhook.id}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { id: webhook.id, deleted: true }]);
    expect((await send("GET", "/webhooks")).json()).toEqual([]);
    await made.skipPauses();
    await made.deliverAll();
    expect(receiver.received.filter(({ path }) => path === "/deleted")).toHaveLength(1);
  });
  test("400: a malformed id", async () => {
    expect((await send("DELETE", "/webhooks/1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("DELETE", `/webhooks/${randomUUID()}`);
  });
  test("404: an unknown one, and another owner's", async () => {
    await refusesOthers("DELETE", (id) => `/webhooks/${id}`);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("DELETE", `/webhooks/${randomUUID()}`)).toBe(429);
  });
});

describe("POST /webhooks/{id}/rotate-secret", () => {
  const rotate = (id: string, body: object = {}, headers: Headers = owner.jwt) =>
    send("POST", `/webhooks/${id}/rotate-secret`, headers, body);
  test("200: another secret, and how long the previous one is used", async () => {
    const { webhook, secret } = await aWebhook();
    const answer = await rotate(webhook.id, { graceHours: 1 });
    expect(answer.statusCode).toBe(200);
    const rotated = answer.json<{ webhook: { previousSecretUntil: string }; secret: string }>();
    expect(rotated.secret).not.toBe(secret);
    const left = new Date(rotated.webhook.previousSecretUntil).getTime() - Date.now();
    expect(left / 3_600_000).toBeGreaterThan(0.9);
    expect(left / 3_600_000).toBeLessThan(1.1);
  });
  test("200: a second rotation ends the first secret", async () => {
    const { webhook, secret } = await aWebhook();
    const second = (await rotate(webhook.id)).json<New>().secret;
    const third = (await rotate(webhook.id)).json<New>().secret;
    await send("POST", `/webhooks/${webhook.id}/test`);
    const [message] = receiver.received;
    if (message === undefined) throw new Error("nothing was received");
    expect([verified(second, message), verified(third, message)]).toMatchObject([
      { type: "webhook.test" },
      { type: "webhook.test" },
    ]);
    expect(() => verified(secret, message)).toThrow();
  });
  test("400: a grace period of more than a week", async () => {
    const { webhook } = await aWebhook();
    expect((await rotate(webhook.id, { graceHours: 169 })).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", `/webhooks/${randomUUID()}/rotate-secret`, {});
  });
  test("404: an unknown one, and another owner's", async () => {
    await refusesOthers("POST", (id) => `/webhooks/${id}/rotate-secret`, {});
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", `/webhooks/${randomUUID()}/rotate-secret`)).toBe(429);
  });
});

describe("POST /webhooks/{id}/test", () => {
  test("200: the result of a message that was sent now", async () => {
    const { webhook, secret } = await aWebhook({ events: ["transaction.alert"] });
    const answer = await send("POST", `/webhooks/${webhook.id}/test`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ type: "webhook.test", requestHash: null, status: "DELIVERED", attempts: 1 },
      ...{ answerStatus: 200, error: null },
    });
    const [message] = receiver.received;
    if (message === undefined) throw new Error("nothing was received");
    expect(verified(secret, message)).toMatchObject({ type: "webhook.test", data: {} });
    expect(answer.json()).toMatchObject({ messageId: message.id });
  });
  test("200: a failure is reported and not repeated", async () => {
    const { webhook } = await aWebhook();
    receiver.answer = () => 302;
    const answer = await send("POST", `/webhooks/${webhook.id}/test`);
    expect(answer.json()).toMatchObject({ status: "FAILED", answerStatus: 302 });
    await made.deliverAll();
    expect(receiver.received).toHaveLength(1);
  });
  test("200: a success ends the pause after failed attempts", async () => {
    const { webhook } = await aWebhook();
    receiver.answer = () => 500;
    await aTransaction(made, owner);
    await made.deliverAll();
    receiver.answer = () => 200;
    await send("POST", `/webhooks/${webhook.id}/test`);
    await made.deliverAll();
    expect(receiver.received.map(({ status }) => status)).toEqual([500, 200, 200]);
  });
  test("400: a malformed id", async () => {
    expect((await send("POST", "/webhooks/1/test")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", `/webhooks/${randomUUID()}/test`);
  });
  test("404: an unknown one, and another owner's", async () => {
    await refusesOthers("POST", (id) => `/webhooks/${id}/test`);
  });
  test("429: an eleventh test of an address within a minute", async () => {
    expect(await limited("POST", `/webhooks/${randomUUID()}/test`, 10)).toBe(429);
  });
});

describe("GET /webhooks/{id}/deliveries", () => {
  test("200: newest first, by page and by status", async () => {
    const { webhook } = await aWebhook();
    const hashes: string[] = [];
    for (let count = 0; count < 3; count++) hashes.unshift((await aTransaction(made, owner)).requestHash);
    await made.deliverAll();
    const first = await deliveriesOf(webhook.id, "?limit=2");
    expect(first.deliveries).toMatchObject([{ requestHash: hashes[0] }, { requestHash: hashes[1] }]);
    const rest = await deliveriesOf(webhook.id, `?limit=2&cursor=${first.next ?? ""}`);
    expect(rest).toMatchObject({ deliveries: [{ requestHash: hashes[2] }], next: null });
    expect((await deliveriesOf(webhook.id, "?status=delivered")).deliveries).toHaveLength(3);
    expect((await deliveriesOf(webhook.id, "?status=pending")).deliveries).toEqual([]);
  });
  test.each(["?status=lost", "?limit=0", "?limit=101", "?cursor=a"])("400: %s", async (query) => {
    const { webhook } = await aWebhook();
    expect((await send("GET", `/webhooks/${webhook.id}/deliveries${query}`)).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("GET", `/webhooks/${randomUUID()}/deliveries`);
  });
  test("404: an unknown one, and another owner's", async () => {
    await refusesOthers("GET", (id) => `/webhooks/${id}/deliveries`);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", `/webhooks/${randomUUID()}/deliveries`)).toBe(429);
  });
});

describe("POST /webhooks/{id}/deliveries/{deliveryId}/redeliver", () => {
  const redeliver = (id: string, deliveryId: string, headers: Headers = owner.jwt) =>
    send("POST", `/webhooks/${id}/deliveries/${deliveryId}/redeliver`, headers);
  async function aDelivery(): Promise<{ readonly id: string; readonly deliveryId: string }> {
    const { webhook } = await aWebhook();
    await aTransaction(made, owner);
    await made.deliverAll();
    const [delivery] = (await deliveriesOf(webhook.id)).deliveries;
    return { id: webhook.id, deliveryId: delivery?.id ?? "" };
  }
  test("202: it waits again, and is sent under the same id", async () => {
    const { id, deliveryId } = await aDelivery();
    const answer = await redeliver(id, deliveryId);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ id: deliveryId, status: "PENDING", attempts: 0 });
    await made.deliverAll();
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
  });
  test("202: one that was given up", async () => {
    const { webhook } = await aWebhook();
    receiver.answer = () => 410;
    await aTransaction(made, owner);
    await made.deliverAll();
    const id = (await deliveriesOf(webhook.id, "?status=failed")).deliveries[0]?.id ?? "";
    await send("PATCH", `/webhooks/${webhook.id}`, owner.jwt, { active: true });
    receiver.answer = () => 200;
    expect((await redeliver(webhook.id, id)).statusCode).toBe(202);
    await made.deliverAll();
    expect((await deliveriesOf(webhook.id)).deliveries).toMatchObject([{ id, status: "DELIVERED" }]);
  });
  test("400: a malformed id", async () => {
    expect((await redeliver(randomUUID(), "1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", `/webhooks/${randomUUID()}/deliveries/${randomUUID()}/redeliver`);
  });
  test("404: an unknown delivery, one of another webhook, and another owner's webhook", async () => {
    const { id, deliveryId } = await aDelivery();
    const { webhook } = await aWebhook();
    for (const answer of [await redeliver(id, randomUUID()), await redeliver(webhook.id, deliveryId)])
      expect([answer.statusCode, errorCode(answer)]).toEqual([404, "webhooks.delivery-not-found"]);
    expect(errorCode(await redeliver(id, deliveryId, other.jwt))).toBe("webhooks.not-found");
  });
  test("409: the webhook is not active", async () => {
    const { id, deliveryId } = await aDelivery();
    await send("PATCH", `/webhooks/${id}`, owner.jwt, { active: false });
    const answer = await redeliver(id, deliveryId);
    expect([answer.statusCode, errorCode(answer)]).toEqual([409, "webhooks.not-active"]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    const path = `/webhooks/${randomUUID()}/deliveries/${randomUUID()}/redeliver`;
    expect(await limited("POST", path)).toBe(429);
  });
});
