// Posts encrypted messages to the push services of browsers.
import { createECDH } from "node:crypto";
import webPush from "web-push";
import type { Posted, PostMessage } from "../webhooks/index.ts";

/** A browser returns it when its user allows notifications. */
export type Subscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/** The keys that identify this installation to push services (VAPID). */
export type PushKeys = { readonly publicKey: string; readonly privateKey: string; readonly subject: string };

type PushMessage = {
  /** At most 32 characters. A message with the same topic replaces one that was not shown yet. */
  readonly topic: string;
  readonly payload: string;
};

export type PostPush = (subscription: Subscription, message: PushMessage) => Promise<Posted>;

const ttlSeconds = 24 * 60 * 60;

/** Whether a browser's key is a point of the curve, so that messages can be encrypted for it. */
export function isBrowserKey(p256dh: string): boolean {
  const own = createECDH("prime256v1");
  own.generateKeys();
  try {
    return own.computeSecret(Buffer.from(p256dh, "base64url")).length > 0;
  } catch {
    return false;
  }
}

/** Makes a function that encrypts one message for a browser and posts it once, to a public address only. */
export const makePostPush =
  (vapidDetails: PushKeys, postMessage: PostMessage): PostPush =>
  async (subscription, { topic, payload }) => {
    const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, payload, {
      ...{ vapidDetails, TTL: ttlSeconds, topic, urgency: "high", contentEncoding: "aes128gcm" },
    });
    return postMessage(endpoint, { headers, body });
  };
