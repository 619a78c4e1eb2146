// A wrapped MCP server at a URL, over streamable HTTP.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { membersOf, type Message } from "./message.ts";
import type { Pipe, PipeEvents } from "./pipe.ts";

export async function connectServer(
  url: string,
  fetch: typeof globalThis.fetch,
  events: PipeEvents,
): Promise<Pipe> {
  // Loaded only here: the other commands do not need it.
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch });
  transport.onmessage = (given) => {
    const message = given as Message;
    // Later requests carry the negotiated version in a header.
    const version = membersOf(message["result"])["protocolVersion"];
    if (typeof version === "string") transport.setProtocolVersion(version);
    events.onMessage(message);
  };
  transport.onclose = () => {
    events.onEnd(`the connection to ${url} was closed`);
  };
  await transport.start();
  return {
    send: (message) => transport.send(message as JSONRPCMessage),
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await transport.close();
    },
  };
}
