import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type Received = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
};
export type Answer = { readonly status: number; readonly body: unknown };

/** Serves JSON. A handler that returns undefined leaves the caller without an answer. */
export async function serveJson(
  type: string,
  answer: (request: Received) => Promise<Answer | undefined>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const body = await buffer(request);
    const answered = await answer({ method: request.method ?? "", url, headers: request.headers, body });
    if (answered === undefined) return;
    response.writeHead(answered.status, { "content-type": type }).end(JSON.stringify(answered.body));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
