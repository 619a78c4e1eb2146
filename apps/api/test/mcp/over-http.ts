// Calls /mcp over a real connection, message by message, like clients of either era.
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { makeService } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { freePorts } from "@countersign/tools/testing";
import { makeApp } from "../../src/composition/app.ts";
import { aGrant, aPublicClient, type TestClient } from "../oauth.ts";
import type { SignedIn } from "../sign-in.ts";
import type { TestApi } from "../test-api.ts";

type Headers = Readonly<Record<string, string>>;
type Where = Pick<TestApi, "origin">;

/** The public host name of the service, wherever it listens. */
const host = { host: "api.example" } as const;
const acceptsBoth = { accept: "application/json, text/event-stream" } as const;

export const legacyVersion = "2025-11-25";
const modernVersion = "2026-07-28";

export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: legacyVersion, capabilities: {}, clientInfo: { name: "a test", version: "1" } },
} as const;
export const ping = { jsonrpc: "2.0", id: 2, method: "ping" } as const;
export const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as const;

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The last message in it, in either format. */
  readonly message: Message;
};
export type Message = {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

export const messagesIn = (text: string): readonly Message[] =>
  [...text.matchAll(/^data: (\{.+)$/gm)].map(([, data = "{}"]) => JSON.parse(data) as Message);

const lastMessageIn = (text: string): Message =>
  text.startsWith("{") ? (JSON.parse(text) as Message) : (messagesIn(text).at(-1) ?? {});

let lastAddress = 0;
/** A new address each time, so that no test reaches another's limit. */
const anAddress = (): Headers => {
  const number = ++lastAddress;
  return { "x-forwarded-for": `10.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}` };
};

type Ask = { readonly method?: string; readonly body?: unknown; readonly headers?: Headers };

function begin({ origin }: Where, { method = "POST", body, headers = {} }: Ask): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const json = text === undefined ? {} : { "content-type": "application/json" };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = httpRequest(
    `${origin}/mcp`,
    { method, agent: false, headers: { ...host, ...anAddress(), ...acceptsBoth, ...json, ...headers } },
    resolve,
  );
  sent.once("error", reject).end(text);
  return promise;
}

/** One request and its whole answer. */
export async function ask(where: Where, given: Ask): Promise<Answer> {
  const answer = await begin(where, given);
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk as string;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, message: lastMessageIn(text) };
}

export type OpenedStream = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The text received so far. */
  readonly text: () => string;
  readonly isOver: () => boolean;
  readonly leave: () => void;
};

/** One request with a streaming answer. */
export async function listen(where: Where, given: Ask): Promise<OpenedStream> {
  const answer = await begin(where, given);
  let [text, isOver] = ["", false];
  answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  answer.once("close", () => (isOver = true)).on("error", () => undefined);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: () => text,
    isOver: () => isOver,
    leave: () => answer.destroy(),
  };
}

/** A request of the 2026 revision with all required members. */
export function modern(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  headers: Headers = {},
): Ask {
  const { name, uri } = params;
  const named = name ?? (method === "resources/read" ? uri : undefined);
  return {
    headers: {
      "mcp-protocol-version": modernVersion,
      "mcp-method": method,
      ...(typeof named === "string" ? { "mcp-name": named } : {}),
      ...headers,
    },
    body: {
      ...{ jsonrpc: "2.0", id: 1, method },
      params: {
        ...params,
        _meta: {
          [PROTOCOL_VERSION_META_KEY]: modernVersion,
          [CLIENT_INFO_META_KEY]: { name: "a test", version: "1" },
          [CLIENT_CAPABILITIES_META_KEY]: {},
        },
      },
    },
  };
}

/** The headers of a new session. */
export async function aSession(
  where: Where,
  credential: Headers,
): Promise<Headers & { "mcp-session-id": string }> {
  const { headers } = await ask(where, { body: initialize, headers: credential });
  return { ...credential, "mcp-session-id": String(headers["mcp-session-id"]) };
}

export const callTool = (name: string, given: object, id: unknown = 1) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: given },
});

type Granted = { readonly client?: TestClient; readonly scope?: string };

/** An access token that an owner granted to a program, and its grant. */
export async function aToken(
  api: TestApi,
  who: SignedIn,
  { client, ...asked }: Granted = {},
): Promise<{ readonly authorization: string; readonly grantId: string }> {
  const { access_token: token } = await aGrant(api, client ?? (await aPublicClient(api)), { who, ...asked });
  const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  return { authorization: `Bearer ${token}`, grantId: (JSON.parse(claims) as { readonly gid: string }).gid };
}

export type Another = Where & { readonly close: () => Promise<void> };

/** Another process of the same service, as closely as one test process can simulate it: only the database is shared. */
export async function another({ config }: Pick<TestApi, "config">, given?: number): Promise<Another> {
  const app = makeApp(config, makeLog({ app: "api", level: "silent" }));
  const service = await makeService({ ...app.service, routes: app.routes });
  const [port = 0] = given === undefined ? await freePorts(1) : [given];
  const origin = await service.listen({ host: "127.0.0.1", port });
  return {
    origin,
    close: async () => {
      app.endWaits();
      await service.close();
      await app.close();
    },
  };
}

/** One whose public name is where it listens, for clients that use no other name. */
export async function anotherAtItsOwnName({ config }: Pick<TestApi, "config">): Promise<Another> {
  const [port = 0] = await freePorts(1);
  return another({ config: { ...config, BASE_URL: `http://127.0.0.1:${port}` } }, port);
}
