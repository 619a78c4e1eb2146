// An SDK client connected directly to our server, without the endpoint in between.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, legacyStatelessFallback, type McpServer } from "@modelcontextprotocol/server";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

const modeOf = (era: Era) => (era === "2025-11-25" ? ("legacy" as const) : { pin: era });

export const aClient = (era: Era): Client =>
  new Client({ name: "a test", version: "1" }, { versionNegotiation: { mode: modeOf(era) } });

const metadata = "https://api.example/.well-known/oauth-protected-resource/mcp";

/** Replaces the transport: one server per request, with the scopes of the credential. */
export function makeHandler(era: Era, build: () => McpServer, scopes: readonly string[]) {
  const modern = createMcpHandler(build, { legacy: "reject", keepAliveMs: 0 });
  const legacy = legacyStatelessFallback(build);
  return (request: Request): Promise<Response> => {
    const authInfo = { token: "", clientId: "a", scopes: [...scopes], resourceMetadataUrl: metadata };
    return era === "2025-11-25" ? legacy(request, { authInfo }) : modern.fetch(request, { authInfo });
  };
}

export async function connectTo(handle: (request: Request) => Promise<Response>, era: Era): Promise<Client> {
  const client = aClient(era);
  const transport = new StreamableHTTPClientTransport(new URL("https://api.example/mcp"), {
    fetch: (url, init) => handle(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}
