// A test double of the incoming webhooks of Slack and Discord and of Telegram's Bot API. It checks messages as the services
// do, and can be told to fail in the ways that they do.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { problemOf, serviceOf, type ChatService } from "./check.ts";

export const behaviours = [
  "good",
  /** Answers 500. */
  "fails",
  /** Answers 429 and asks for a pause of 90 seconds. */
  "limits",
  /** The webhook was deleted, or the bot's token was revoked. */
  "gone",
  /** Takes the message and never answers. */
  "slow",
  "redirects",
  /** Repeats the address in its answer. */
  "leaks",
] as const;
type Behaviour = (typeof behaviours)[number];

type ChatMessage = {
  readonly service: ChatService;
  readonly path: string;
  /** The header `webhook-id`. */
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
};

export type ChatStandIn = {
  /** The base address of Slack and Telegram. Discord's has `/api/webhooks` in addition. */
  readonly url: string;
  /** Every message in the right form, oldest first, also those that were answered with an error. */
  readonly received: ChatMessage[];
  readonly behave: (how: Behaviour) => void;
  readonly close: () => Promise<void>;
};

type Answer = { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };

const goneStatus: Readonly<Record<ChatService, number>> = { slack: 404, discord: 404, telegram: 401 };

const good: Readonly<Record<ChatService, Answer>> = {
  slack: { status: 200, body: "ok" },
  discord: { status: 204, body: "" },
  telegram: { status: 200, body: JSON.stringify({ ok: true, result: {} }) },
};

function answerOf(how: Exclude<Behaviour, "slow">, service: ChatService, path: string): Answer {
  switch (how) {
    case "good":
      return good[service];
    case "fails":
      return { status: 500, body: "internal error" };
    case "limits":
      return { status: 429, body: "", headers: { "retry-after": "90" } };
    case "gone":
      return { status: goneStatus[service], body: "no_service" };
    case "redirects":
      return { status: 307, body: "", headers: { location: path } };
    case "leaks":
      return { status: 400, body: `bad request to ${path}` };
  }
}

export async function startChatStandIn({ port = 0 }: { readonly port?: number } = {}): Promise<ChatStandIn> {
  let how: Behaviour = "good";
  const received: ChatMessage[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    const service = serviceOf(path);
    const body = await text(request);
    const problem =
      service === undefined ? "no such resource" : problemOf(service, request.headers["content-type"], body);
    if (service === undefined || request.method !== "POST" || problem !== undefined) {
      response.writeHead(service === undefined ? 404 : 400).end(problem);
      return;
    }
    const answer = how === "slow" ? undefined : answerOf(how, service, path);
    received.push({
      ...{ service, path, id: String(request.headers["webhook-id"]) },
      ...{ body: JSON.parse(body) as Record<string, unknown>, status: answer?.status ?? 0 },
    });
    if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behave: (next) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
