// The guarded RPC: what a wrapped server takes for its node. Loopback only.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type Message } from "./message.ts";
import type { RpcRequest } from "./sending-call.ts";

type Options = {
  /** Fixed, for a server that is configured before. Default: any, at a path that cannot be guessed. */
  readonly port?: number;
  readonly request: (asked: RpcRequest) => Promise<unknown>;
};

export type Rpc = { readonly url: string; readonly close: () => Promise<void> };

const longestBody = 5_000_000;

export async function openRpc({ port, request }: Options): Promise<Rpc> {
  const path = port === undefined ? `/${randomBytes(16).toString("hex")}` : "/";
  const server = createServer((incoming, response) => {
    void answerHttp(incoming, response, { path, request });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port ?? 0, "127.0.0.1", resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${chosen}${path}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Served = Pick<Options, "request"> & { readonly path: string };

async function answerHttp(
  incoming: IncomingMessage,
  response: ServerResponse,
  served: Served,
): Promise<void> {
  const { status, body } = await answerTo(incoming, served);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function answerTo(
  incoming: IncomingMessage,
  { path, request }: Served,
): Promise<{ readonly status: number; readonly body: unknown }> {
  // A page in a browser cannot send this type without asking first, and is never allowed.
  const isJson = /^application\/json(;|$)/.test(incoming.headers["content-type"] ?? "");
  if (incoming.url !== path) return { status: 404, body: { error: "not found" } };
  if (incoming.method !== "POST" || !isJson) return { status: 415, body: { error: "only JSON-RPC by POST" } };
  const asked = await readBody(incoming);
  if (asked === undefined) return { status: 413, body: { error: "too large, or not JSON" } };
  const list = Array.isArray(asked) ? (asked as unknown[]) : [asked];
  const answers = await Promise.all(list.map((one) => answerOne(one, request)));
  return { status: 200, body: Array.isArray(asked) ? answers : answers[0] };
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > longestBody) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}

async function answerOne(asked: unknown, request: Options["request"]): Promise<Message> {
  const { id = null, method, params } = isObject(asked) ? asked : {};
  const answered = { jsonrpc: "2.0", id };
  if (typeof method !== "string")
    return { ...answered, error: { code: -32_600, message: "not a JSON-RPC request" } };
  try {
    return { ...answered, result: (await request({ method, params })) ?? null };
  } catch (error) {
    return { ...answered, error: errorOf(error) };
  }
}

/** Codes of EIP-1193 become those of a node, so that libraries neither repeat a refusal nor take it for a failure of the network. */
const codes: Readonly<Record<number, number>> = { 4001: -32_003, 4200: -32_601 };

function errorOf(error: unknown): Message {
  const { code, data } = error as { readonly code?: unknown; readonly data?: unknown };
  const given = typeof code === "number" ? (codes[code] ?? code) : -32_603;
  const message = error instanceof Error ? error.message : String(error);
  return { code: given, message, ...(data === undefined ? {} : { data }) };
}
