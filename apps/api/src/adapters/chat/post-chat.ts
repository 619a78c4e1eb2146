// Posts messages to chat services. The host is always the one in the settings.
import { isLoopback } from "../../platform/is-loopback.ts";
import { makePostMessage, type Posted } from "../webhooks/index.ts";

type ChatService = "slack" | "discord" | "telegram";

type Options = {
  /** The base address of each service. */
  readonly urls: Readonly<Record<ChatService, string>>;
  readonly timeoutMs: number;
};

type ChatMessage = { readonly id: string; readonly body: string };

export type PostChat = (service: ChatService, path: string, message: ChatMessage) => Promise<Posted>;

const userAgent = "Countersign-Notifications/1";

/** Makes a function that posts one message once. The path is secret: it is in no error and no log. */
export function makePostChat({ urls, timeoutMs }: Options): PostChat {
  const post = Object.fromEntries(
    Object.entries(urls).map(([service, url]) => {
      // An operator's own address may be on this machine, such as a test double.
      const allowLoopback = isLoopback(new URL(url).host);
      return [service, makePostMessage({ allowLoopback, timeoutMs })];
    }),
  ) as Record<ChatService, ReturnType<typeof makePostMessage>>;
  return (service, path, { id, body }) =>
    post[service](`${urls[service].replace(/\/$/, "")}${path}`, {
      headers: { "content-type": "application/json", "user-agent": userAgent, "webhook-id": id },
      body,
    });
}
