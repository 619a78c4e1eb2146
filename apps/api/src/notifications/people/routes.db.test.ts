import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startChatStandIn, type ChatStandIn } from "../../../../../tools/stand-ins/chat/stand-in.ts";
import { chatAddresses, chatKinds, type ChatKind } from "../../../test/channels.ts";
import { aNotifyApi, type NotifyApi } from "../../../test/notifications.ts";
import { exceedLimit } from "../../../test/test-api.ts";
import { aPerson, aTransaction, type Person } from "../../../test/transactions/decide-api.ts";

let made: NotifyApi;
let chat: ChatStandIn;
let owner: Person;
let other: Person;
beforeAll(async () => {
  chat = await startChatStandIn();
  made = await aNotifyApi({ chatUrl: chat.url });
});
afterAll(async () => {
  await made.close();
  await chat.close();
});
beforeEach(async () => {
  [owner, other] = [await aPerson(made), await aPerson(made)];
  await made.retireChannels();
  chat.received.length = 0;
  chat.behave("good");
});

type Headers = Record<string, string>;
type Method = "GET" | "POST" | "PATCH" | "DELETE";
const send = (method: Method, url: string, headers: Headers = owner.jwt, payload?: object) =>
  made.api.http.send({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const limited = (method: Method, url: string, most?: number) => exceedLimit(made.api, { method, url }, most);
const errorCode = (answer: Awaited<ReturnType<typeof send>>) => answer.headers["x-error-code"];

type Channel = { readonly id: string; readonly kind: string; readonly target: string };
const create = (kind: ChatKind = "slack", more: object = {}, headers: Headers = owner.jwt) => {
  const { secret: _, ...address } = chatAddresses[kind]();
  return send("POST", "/channels", headers, { ...address, ...more });
};
const aChannel = async (kind: ChatKind = "slack", more: object = { events: [] }): Promise<Channel> =>
  (await create(kind, more)).json<Channel>();
type Listed = { readonly deliveries: { readonly id: string }[]; readonly next: string | null };
const deliveriesOf = async (id: string, query = ""): Promise<Listed> =>
  (await send("GET", `/channels/${id}/deliveries${query}`)).json<Listed>();

/** The endpoints about one channel: each is unknown to others, and to those who have the id of a webhook. */
async function refusesOthers(method: Method, pathOf: (id: string) => string, payload?: object) {
  const { id } = await aChannel();
  const webhook = await send("POST", "/webhooks", owner.jwt, { url: "https://receiver.example/" });
  const webhookId = webhook.json<{ webhook: { id: string } }>().webhook.id;
  for (const [unknown, headers] of [
    [randomUUID(), owner.jwt],
    [id, other.jwt],
    [webhookId, owner.jwt],
  ] as const) {
    const answer = await send(method, pathOf(unknown), headers, payload);
    expect([answer.statusCode, errorCode(answer)]).toEqual([404, "channels.not-found"]);
  }
}
const refusesKeys = async (method: Method, path: string, payload?: object) => {
  for (const headers of [{}, owner.agent.headers])
    expect((await send(method, path, headers, payload)).statusCode).toBe(401);
};

describe("POST /channels", () => {
  test.each([
    ["slack", /^hooks\.slack\.com\/…\w{4}$/],
    ["discord", /^discord\.com\/…\w{4}$/],
    ["telegram", /^-1001234567890$/],
  ] as const)("201: a %s channel, without its secret", async (kind, target) => {
    const { secret, ...address } = chatAddresses[kind]();
    const agents = [`key:${owner.agent.id}`];
    const answer = await send("POST", "/channels", owner.jwt, {
      ...{ ...address, description: "Ops", events: ["transaction.executed"], agents },
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      ...{ id: expect.any(String) as string, kind, target: expect.stringMatching(target) as string },
      confirmed: true,
      ...{ description: "Ops", events: ["transaction.executed"], agents, active: true, disabledReason: null },
      health: {
        ...{ status: "HEALTHY", failures: 0, failingSince: null, lastDeliveredAt: null },
        ...{ lastFailedAt: null, lastError: null, pending: 0, nextAttemptAt: null },
      },
      ...{ quietHours: null, timeZone: "UTC", digest: null },
      createdAt: expect.any(String) as string,
    });
    expect(answer.body + (await send("GET", "/channels")).body).not.toContain(secret);
  });
  test("201: decisions, failures and alerts unless events are chosen", async () => {
    expect((await create()).json()).toMatchObject({
      events: [
        "transaction.needs_decision",
        "transaction.expiring",
        "transaction.blocked",
        "transaction.failed",
        "transaction.alert",
      ],
    });
  });
  test("201: with a signed request", async () => {
    const { secret: _, ...address } = chatAddresses.slack();
    const payload = JSON.stringify(address);
    const headers = {
      ...(await owner.sign("POST", "/channels", payload)),
      "content-type": "application/json",
    };
    const answer = await made.api.http.send({ method: "POST", url: "/channels", headers, payload });
    expect(answer.statusCode).toBe(201);
  });
  test.each([
    ["a Slack address on another host", { url: "https://evil.example/services/T1/B1/abcdefghijklmnop" }],
    ["a private address", { url: "https://10.0.0.1/services/T1/B1/abcdefghijklmnop" }],
    ["the base address of this installation", { url: "http://127.0.0.1:1/services/T1/B1/abcdefghijklmnop" }],
    ["a Discord address for Slack", { url: chatAddresses.discord().url }],
  ])("400: %s", async (_, more) => {
    const answer = await create("slack", more);
    expect([answer.statusCode, errorCode(answer)]).toEqual([400, "channels.address-not-allowed"]);
  });
  test.each([
    ["an unknown kind", { kind: "pigeon" }],
    ["a kind that is not for people", { kind: "webhook" }],
    ["no address", { kind: "telegram" }],
    ["an unknown type", { events: ["transaction.vanished"] }],
    ["a malformed agent", { agents: ["bob"] }],
    ["a description with a hidden character", { description: "Ops\u202E" }],
  ])("400: %s", async (_, more) => {
    expect((await create("slack", more)).statusCode).toBe(400);
  });
  test.each([
    { botToken: "123" },
    { botToken: `1234567:${"a".repeat(29)}/../x` },
    { chatId: "a b" },
    { chatId: "1?x" },
  ])("400: a Telegram address with %j, which the error does not repeat", async (more) => {
    const answer = await create("telegram", more);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain(Object.values(more)[0]);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", "/channels", { kind: "slack" });
  });
  test("409: a twenty-first one, also if they are created at once", async () => {
    const kinds = Array.from({ length: 22 }, (_, index) => chatKinds[index % 3] ?? "slack");
    const answers = await Promise.all(kinds.map((kind) => create(kind)));
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(refused.map((answer) => [answer.statusCode, errorCode(answer)])).toEqual([
      [409, "channels.too-many"],
      [409, "channels.too-many"],
    ]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/channels")).toBe(429);
  });
});

describe("GET /channels", () => {
  test("200: the owner's, oldest first, without webhooks, which have their own list", async () => {
    const ids = [(await aChannel("slack")).id, (await aChannel("telegram")).id];
    await create("slack", {}, other.jwt);
    await send("POST", "/webhooks", owner.jwt, { url: "https://receiver.example/" });
    const answer = await send("GET", "/channels");
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Channel[]>().map(({ id }) => id)).toEqual(ids);
    expect((await send("GET", "/webhooks")).json()).toHaveLength(1);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("GET", "/channels");
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/channels")).toBe(429);
  });
});

describe("GET /channels/{id}", () => {
  test("200: with the messages that wait, and when they are sent", async () => {
    const { id } = await aChannel();
    chat.behave("fails");
    await aTransaction(made, owner);
    await made.deliverAll();
    const answer = await send("GET", `/channels/${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      id,
      health: { status: "FAILING", pending: 1, nextAttemptAt: expect.any(String) as string },
    });
  });
  test("400: a malformed id", async () => {
    expect((await send("GET", "/channels/1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("GET", `/channels/${randomUUID()}`);
  });
  test("404: an unknown one, another owner's, and a webhook", async () => {
    await refusesOthers("GET", (id) => `/channels/${id}`);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", `/channels/${randomUUID()}`)).toBe(429);
  });
});

describe("PATCH /channels/{id}", () => {
  test("200: changes the given members only", async () => {
    const channel = await aChannel("discord", { description: "Ops", events: ["transaction.alert"] });
    const answer = await send("PATCH", `/channels/${channel.id}`, owner.jwt, { active: false, events: [] });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ ...channel, active: false, events: [] });
  });
  test("200: never changes where messages go", async () => {
    const channel = await aChannel("telegram");
    const change = { chatId: "1", target: "1", url: chatAddresses.slack().url };
    expect((await send("PATCH", `/channels/${channel.id}`, owner.jwt, change)).json()).toEqual(channel);
  });
  test("200: queues nothing while it is inactive", async () => {
    const { id } = await aChannel();
    await send("PATCH", `/channels/${id}`, owner.jwt, { active: false });
    await aTransaction(made, owner);
    await made.deliverAll();
    await send("PATCH", `/channels/${id}`, owner.jwt, { active: true });
    await made.deliverAll();
    expect(chat.received).toEqual([]);
  });
  test("400: an unknown type", async () => {
    const { id } = await aChannel();
    const answer = await send("PATCH", `/channels/${id}`, owner.jwt, { events: ["transaction.vanished"] });
    expect(answer.statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("PATCH", `/channels/${randomUUID()}`, {});
  });
  test("404: an unknown one, another owner's, and a webhook", async () => {
    await refusesOthers("PATCH", (id) => `/channels/${id}`, { active: false });
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("PATCH", `/channels/${randomUUID()}`)).toBe(429);
  });
});

describe("DELETE /channels/{id}", () => {
  test("200: it is gone, with the messages that wait", async () => {
    const { id } = await aChannel();
    chat.behave("fails");
    await aTransaction(made, owner);
    await made.deliverAll();
    const answer = await send("DELETE", `/channels/${id}`);
    expect([answer.statusCode, answer.json()]).toEqual([200, { id, deleted: true }]);
    expect((await send("GET", "/channels")).json()).toEqual([]);
    await made.skipPauses();
    await made.deliverAll();
    expect(chat.received).toHaveLength(1);
  });
  test("400: a malformed id", async () => {
    expect((await send("DELETE", "/channels/1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("DELETE", `/channels/${randomUUID()}`);
  });
  test("404: an unknown one, another owner's, and a webhook", async () => {
    await refusesOthers("DELETE", (id) => `/channels/${id}`);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("DELETE", `/channels/${randomUUID()}`)).toBe(429);
  });
});

describe("POST /channels/{id}/test", () => {
  test.each(chatKinds)("200: the result of a %s message that was sent now", async (kind) => {
    const { id } = await aChannel(kind, { events: ["transaction.alert"] });
    const answer = await send("POST", `/channels/${id}/test`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ type: "channel.test", requestHash: null, status: "DELIVERED", attempts: 1, error: null },
      messageId: chat.received[0]?.id,
    });
    expect(JSON.stringify(chat.received[0]?.body)).toContain("Test message");
  });
  test("200: a failure is reported and not repeated", async () => {
    const { id } = await aChannel();
    chat.behave("redirects");
    const answer = await send("POST", `/channels/${id}/test`);
    expect(answer.json()).toMatchObject({ status: "FAILED", answerStatus: 307 });
    await made.deliverAll();
    expect(chat.received).toHaveLength(1);
  });
  test("400: a malformed id", async () => {
    expect((await send("POST", "/channels/1/test")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", `/channels/${randomUUID()}/test`);
  });
  test("404: an unknown one, another owner's, and a webhook", async () => {
    await refusesOthers("POST", (id) => `/channels/${id}/test`);
  });
  test("429: an eleventh test of an address within a minute", async () => {
    expect(await limited("POST", `/channels/${randomUUID()}/test`, 10)).toBe(429);
  });
});

describe("GET /channels/{id}/deliveries", () => {
  test("200: newest first, by page and by status", async () => {
    const { id } = await aChannel();
    const hashes: string[] = [];
    for (let count = 0; count < 3; count++) hashes.unshift((await aTransaction(made, owner)).requestHash);
    await made.deliverAll();
    const first = await deliveriesOf(id, "?limit=2");
    expect(first.deliveries).toMatchObject([{ requestHash: hashes[0] }, { requestHash: hashes[1] }]);
    const rest = await deliveriesOf(id, `?limit=2&cursor=${first.next ?? ""}`);
    expect(rest).toMatchObject({ deliveries: [{ requestHash: hashes[2] }], next: null });
    expect((await deliveriesOf(id, "?status=pending")).deliveries).toEqual([]);
  });
  test.each(["?status=lost", "?limit=0", "?limit=101", "?cursor=a"])("400: %s", async (query) => {
    const { id } = await aChannel();
    expect((await send("GET", `/channels/${id}/deliveries${query}`)).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("GET", `/channels/${randomUUID()}/deliveries`);
  });
  test("404: an unknown one, another owner's, and a webhook", async () => {
    await refusesOthers("GET", (id) => `/channels/${id}/deliveries`);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", `/channels/${randomUUID()}/deliveries`)).toBe(429);
  });
});

describe("POST /channels/{id}/deliveries/{deliveryId}/redeliver", () => {
  const redeliver = (id: string, deliveryId: string, headers: Headers = owner.jwt) =>
    send("POST", `/channels/${id}/deliveries/${deliveryId}/redeliver`, headers);
  async function aDelivery(): Promise<{ readonly id: string; readonly deliveryId: string }> {
    const { id } = await aChannel();
    await aTransaction(made, owner);
    await made.deliverAll();
    const [delivery] = (await deliveriesOf(id)).deliveries;
    return { id, deliveryId: delivery?.id ?? "" };
  }
  test("202: it waits again, and is sent under the same id", async () => {
    const { id, deliveryId } = await aDelivery();
    const answer = await redeliver(id, deliveryId);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ id: deliveryId, status: "PENDING", attempts: 0 });
    await made.deliverAll();
    expect(new Set(chat.received.map((one) => one.id)).size).toBe(1);
    expect(chat.received).toHaveLength(2);
  });
  test("400: a malformed id", async () => {
    expect((await redeliver(randomUUID(), "1")).statusCode).toBe(400);
  });
  test("401: without a credential, and with an agent's key", async () => {
    await refusesKeys("POST", `/channels/${randomUUID()}/deliveries/${randomUUID()}/redeliver`);
  });
  test("404: an unknown delivery, one of another channel, and another owner's channel", async () => {
    const { id, deliveryId } = await aDelivery();
    const channel = await aChannel();
    for (const answer of [await redeliver(id, randomUUID()), await redeliver(channel.id, deliveryId)])
      expect([answer.statusCode, errorCode(answer)]).toEqual([404, "channels.delivery-not-found"]);
    expect(errorCode(await redeliver(id, deliveryId, other.jwt))).toBe("channels.not-found");
  });
  test("409: the channel is not active", async () => {
    const { id, deliveryId } = await aDelivery();
    await send("PATCH", `/channels/${id}`, owner.jwt, { active: false });
    const answer = await redeliver(id, deliveryId);
    expect([answer.statusCode, errorCode(answer)]).toEqual([409, "channels.not-active"]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    const path = `/channels/${randomUUID()}/deliveries/${randomUUID()}/redeliver`;
    expect(await limited("POST", path)).toBe(429);
  });
});
