import webPush from "web-push";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startPushStandIn,
  type PushStandIn,
  type PushSubscription,
} from "../../../../../tools/stand-ins/push/stand-in.ts";
import { aNotifyApi, type NotifyApi } from "../../../test/notifications.ts";
import { aPerson, aTransaction, registered, type Person } from "../../../test/transactions/decide-api.ts";

const keys = webPush.generateVAPIDKeys();
let made: NotifyApi;
let push: PushStandIn;
let owner: Person;
beforeAll(async () => {
  [made, push] = await Promise.all([aNotifyApi({ pushKeys: keys }), startPushStandIn()]);
});
afterAll(async () => {
  await made.close();
  await push.close();
});
beforeEach(async () => {
  owner = await aPerson(made);
  await made.retireChannels();
  [push.received.length, push.refused.length] = [0, 0];
  push.answer = 201;
});

type Channel = { readonly id: string; readonly target: string };
const send = (method: string, url: string, payload?: object) =>
  made.api.http.send({ method, url, headers: owner.jwt, ...(payload === undefined ? {} : { payload }) });
const create = (subscription: object, more: object = { events: [] }) =>
  send("POST", "/channels", { kind: "push", subscription, ...more });
const aChannel = async (subscription: PushSubscription = push.subscribe(keys.publicKey)) =>
  (await create(subscription)).json<Channel>();

describe("POST /channels with a browser's subscription", () => {
  test("201: stores it, and shows the push service only", async () => {
    const subscription = push.subscribe(keys.publicKey);
    const answer = await create(subscription);
    expect(answer.statusCode).toBe(201);
    const channel = answer.json<Channel>();
    expect(channel).toMatchObject({ kind: "push", confirmed: true });
    expect(channel.target).toBe(`${new URL(push.url).host}/…${subscription.endpoint.slice(-4)}`);
    const shown = answer.body + (await send("GET", "/channels")).body;
    for (const secret of [new URL(subscription.endpoint).pathname, ...Object.values(subscription.keys)])
      expect(shown).not.toContain(secret);
  });
  test.each([
    ["http", "http://push.example/a"],
    ["a private address", "https://10.0.0.1/a"],
    ["the metadata service of a cloud", "https://169.254.169.254/a"],
    ["a mapped private address", "https://[::ffff:10.0.0.1]/a"],
  ])("400: an endpoint that is not allowed: %s", async (_, endpoint) => {
    const answer = await create({ ...push.subscribe(keys.publicKey), endpoint });
    expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([
      ...[400, "channels.subscription-not-allowed"],
    ]);
  });
  test("400: keys that no message can be encrypted for", async () => {
    const { endpoint, keys: good } = push.subscribe(keys.publicKey);
    const offCurve = Buffer.alloc(65, 1).toString("base64url");
    for (const bad of [{ ...good, p256dh: offCurve }, { ...good, auth: "short" }, { auth: good.auth }])
      expect((await create({ endpoint, keys: bad })).statusCode).toBe(400);
  });
  test("503: the operator has configured no keys", async () => {
    const without = await aNotifyApi();
    try {
      const { jwt: headers } = await aPerson(without);
      const answer = await without.api.http.send({
        ...{ method: "POST", url: "/channels", headers },
        payload: { kind: "push", subscription: push.subscribe(keys.publicKey) },
      });
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([503, "channels.push-unavailable"]);
    } finally {
      await without.close();
    }
  });
});

test("GET /channel-kinds returns the key that browsers subscribe with, and not the private one", async () => {
  const answer = await send("GET", "/channel-kinds");
  expect(answer.json()).toContainEqual({ kind: "push", available: true, publicKey: keys.publicKey });
  expect(answer.body).not.toContain(keys.privateKey);
});

describe("delivery", () => {
  test("encrypts each change for the browser and proves its sender, in order", async () => {
    await aChannel();
    const { requestHash } = await aTransaction(made, owner, { after: registered });
    await made.store.change({ requestHash }, () => ({ events: ["verdictApproved"] }));
    await made.deliverAll();
    expect(push.refused).toEqual([]);
    expect(push.received).toHaveLength(3);
    const last = push.received[2];
    expect(last).toMatchObject({ urgency: "high", ttl: 86_400 });
    expect(last?.payload).toMatchObject({
      title: "Needs your decision",
      body: expect.stringContaining(`Send 0.001 ETH to 0x${"11".repeat(20)} on Sepolia`) as string,
      url: `https://app.example/transactions/${requestHash}`,
    });
    expect(`msg_${last?.topic ?? ""}`).toBe(String(last?.payload["id"]).replaceAll("-", ""));
  });

  test("sends only what the browser can decrypt: another key is refused there", async () => {
    const { id } = await aChannel(push.subscribe(webPush.generateVAPIDKeys().publicKey));
    expect((await send("POST", `/channels/${id}/test`)).json()).toMatchObject({
      ...{ status: "FAILED", answerStatus: 403 },
    });
    expect(push.refused).toEqual(["another key than that of the subscription"]);
  });

  test("repeats a failed message under the same topic and id", async () => {
    await aChannel();
    await aTransaction(made, owner);
    push.answer = 500;
    await made.deliverAll();
    push.answer = 201;
    await made.skipPauses();
    await made.deliverAll();
    const [first, again] = push.received;
    expect(push.received.map(({ status }) => status)).toEqual([500, 201]);
    expect([again?.topic, again?.payload]).toEqual([first?.topic, first?.payload]);
  });

  test.each([404, 410])("deactivates the channel of a browser that answers %i", async (status) => {
    const { id } = await aChannel();
    await aTransaction(made, owner);
    push.answer = status;
    await made.deliverAll();
    expect((await send("GET", `/channels/${id}`)).json()).toMatchObject({
      ...{ active: false, health: { status: "DISABLED" } },
    });
  });

  test("tests a channel", async () => {
    const { id } = await aChannel();
    expect((await send("POST", `/channels/${id}/test`)).json()).toMatchObject({ status: "DELIVERED" });
    expect(push.received[0]?.payload).toMatchObject({ title: "Test message", url: "https://app.example" });
  });
});
