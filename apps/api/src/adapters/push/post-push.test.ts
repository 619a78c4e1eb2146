import webPush from "web-push";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPushStandIn, type PushStandIn } from "../../../../../tools/stand-ins/push/stand-in.ts";
import { makePostMessage } from "../webhooks/index.ts";
import { isBrowserKey, makePostPush } from "./post-push.ts";

let push: PushStandIn;
beforeAll(async () => {
  push = await startPushStandIn();
});
afterAll(async () => {
  await push.close();
});

const keys = { ...webPush.generateVAPIDKeys(), subject: "mailto:ops@app.example" };
const message = { topic: "a".repeat(32), payload: JSON.stringify({ title: "Grüezi 🔐" }) };

test("posts a message that the browser decrypts, from a sender that the push service verifies", async () => {
  const post = makePostPush(keys, makePostMessage({ allowLoopback: true, timeoutMs: 1000 }));
  expect(await post(push.subscribe(keys.publicKey), message)).toMatchObject({ status: 201, error: null });
  expect(push.received).toMatchObject([{ topic: message.topic, payload: { title: "Grüezi 🔐" } }]);
});

test("posts the largest message that is made", async () => {
  const post = makePostPush(keys, makePostMessage({ allowLoopback: true, timeoutMs: 1000 }));
  const payload = JSON.stringify({ body: "€".repeat(1000) });
  expect(await post(push.subscribe(keys.publicKey), { ...message, payload })).toMatchObject({ status: 201 });
});

test("posts nothing to a private address", async () => {
  const post = makePostPush(keys, makePostMessage({ timeoutMs: 1000 }));
  expect(await post(push.subscribe(keys.publicKey), message)).toMatchObject({
    ...{ status: null, error: "The address is not public" },
  });
});

test("knows keys of browsers from other text", () => {
  expect(isBrowserKey(push.subscribe(keys.publicKey).keys.p256dh)).toBe(true);
  expect(isBrowserKey(Buffer.alloc(65, 4).toString("base64url"))).toBe(false);
  expect(isBrowserKey("")).toBe(false);
});
