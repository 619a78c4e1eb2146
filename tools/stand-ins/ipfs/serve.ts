// A small HTTP server whose handler sees whole requests.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Asked = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};
/** "drop" closes the connection without an answer. */
export type Reply = { readonly status: number; readonly body: unknown } | "drop";

type Served = { readonly url: string; readonly stop: () => Promise<void> };

export async function serve(
  answer: (asked: Asked) => Promise<Reply>,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Served> {
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      const body = await buffer(request);
      const { method = "GET", headers } = request;
      const reply = await answer({ method, headers, body, url: new URL(request.url ?? "/", "http://here") });
      if (reply === "drop") {
        response.destroy();
        return;
      }
      const isBytes = reply.body instanceof Uint8Array;
      response.writeHead(reply.status, {
        "content-type": isBytes ? "application/vnd.ipld.raw" : "application/json",
      });
      response.end(isBytes ? reply.body : JSON.stringify(reply.body));
    };
    respond().catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
