// A test double of a push service and the browsers behind it: it verifies the sender and decrypts each message.
import { createECDH, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { decrypt, type BrowserKeys } from "./decrypt.ts";
import { problemOfVapid } from "./vapid.ts";

export type PushSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

type PushMessage = {
  readonly path: string;
  readonly topic: string | undefined;
  readonly urgency: string | undefined;
  readonly ttl: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly status: number;
};

export type PushStandIn = {
  readonly url: string;
  /** Subscribes a new browser, for messages of the holder of this key. */
  readonly subscribe: (publicKey: string) => PushSubscription;
  /** Every message that a browser could decrypt, oldest first. */
  readonly received: PushMessage[];
  /** Why other messages were refused. */
  readonly refused: string[];
  /** The status of the next answers. 201 accepts; 404 and 410 mean that the subscription ended. */
  answer: number;
  readonly close: () => Promise<void>;
};

type Browser = BrowserKeys & { readonly publicKey: string };

const oneOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;

/** Returns why a push service refuses a request, or undefined. */
function problemOf({ headers }: IncomingMessage, origin: string, browser: Browser): string | undefined {
  if (headers["content-encoding"] !== "aes128gcm") return "another encoding";
  if (!/^\d+$/.test(oneOf(headers["ttl"]) ?? "")) return "no TTL";
  if (!/^[\w-]{0,32}$/.test(oneOf(headers["topic"]) ?? "")) return "malformed topic";
  return problemOfVapid(headers.authorization, { origin, publicKey: browser.publicKey });
}

export async function startPushStandIn(): Promise<PushStandIn> {
  const browsers = new Map<string, Browser>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const body = await buffer(request);
    const browser = browsers.get(path);
    const problem = browser === undefined ? "unknown subscription" : problemOf(request, push.url, browser);
    if (browser === undefined || problem !== undefined) {
      push.refused.push(problem ?? "");
      response.writeHead(browser === undefined ? 404 : 403).end();
      return;
    }
    const { topic, urgency, ttl } = request.headers;
    push.received.push({
      ...{ path, topic: oneOf(topic), urgency: oneOf(urgency), ttl: Number(ttl), status: push.answer },
      payload: JSON.parse(decrypt(body, browser)) as Record<string, unknown>,
    });
    response.writeHead(push.answer).end();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      push.refused.push(String(error));
      response.writeHead(400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const push: PushStandIn = {
    ...{ url, received: [], refused: [], answer: 201 },
    subscribe: (publicKey) => {
      const ecdh = createECDH("prime256v1");
      const p256dh = ecdh.generateKeys().toString("base64url");
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(16).toString("hex")}`;
      browsers.set(path, { ecdh, auth, publicKey });
      return { endpoint: `${url}${path}`, keys: { p256dh, auth: auth.toString("base64url") } };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return push;
}
