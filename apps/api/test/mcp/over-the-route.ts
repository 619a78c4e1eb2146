// Clients over the network that use the service's public name.
import { request as send } from "node:http";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { TestApi } from "../test-api.ts";
import type { Era } from "./handlers.ts";

type Headers = Readonly<Record<string, string>>;
export type Handle = (request: Request) => Promise<Response>;

/** Sends it to where the service listens, as if that were its public address. */
export const reach =
  ({ origin, config }: TestApi, more: Headers): Handle =>
  async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === "POST" ? await request.text() : undefined;
    const headers = {
      ...Object.fromEntries(request.headers),
      ...more,
      host: new URL(config.BASE_URL ?? origin).host,
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    };
    return new Promise((resolve, reject) => {
      const { method, signal } = request;
      const sent = send(
        `${origin}${pathname}${search}`,
        { method, signal, headers, agent: false },
        (answer) => {
          const { statusCode: status = 0 } = answer;
          const given = Object.entries(answer.headers).map(
            ([name, value]) => [name, String(value)] as [string, string],
          );
          const isEmpty = [202, 204, 304].includes(status);
          // A client that disconnects closes the connection during its answer.
          answer.on("error", () => undefined);
          const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
          if (isEmpty) answer.resume();
          resolve(new Response(stream, { status, headers: given }));
        },
      );
      sent.once("error", reject);
      sent.end(body);
    });
  };

type Message = { readonly method: string; readonly params?: Readonly<Record<string, unknown>> };

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "a test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
} as const;

/** One JSON-RPC message in the format of the revision. */
export function written(era: Era, { method, params = {} }: Message, session?: string): Request {
  const isModern = era === "2026-07-28";
  const name = params["name"] ?? params["uri"];
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": era,
    ...(isModern ? { "mcp-method": method } : {}),
    ...(isModern && typeof name === "string" ? { "mcp-name": name } : {}),
    ...(session === undefined ? {} : { "mcp-session-id": session }),
  };
  const told = isModern ? { ...params, _meta: envelope } : params;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: told });
  return new Request("https://api.example/mcp", { method: "POST", headers, body });
}

/** Starts a session of the 2025 revisions. */
export async function begin(handle: Handle): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a test", version: "1" },
  };
  const response = await handle(written("2025-11-25", { method: "initialize", params }));
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}
