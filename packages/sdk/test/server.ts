// A real server on this machine that misbehaves as it is told.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type Handler = (received: Received, response: ServerResponse) => void | Promise<void>;

/** What is done with a request, or with the connection before there is one. */
export type Step = Handler | "no connection";

export type Server = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections that were closed before anything was read of them. */
  readonly turnedAway: () => number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** One step for each request, the last for all that follow. */
export async function aServer(...steps: readonly [Step, ...Step[]]): Promise<Server> {
  const left = [...steps];
  const received: Received[] = [];
  let turnedAway = 0;
  const next = (): Step => (left.length > 1 ? left.shift() : left[0]) ?? "no connection";
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const body = await text(request);
      const query = Object.fromEntries(searchParams);
      const one = { method: request.method ?? "", path: pathname, query, headers: request.headers, body };
      received.push(one);
      response.setHeader("connection", "close");
      const step = next();
      if (step !== "no connection") await step(one, response);
    })();
  });
  server.on("connection", (socket) => {
    if (left[0] !== "no connection") return;
    next();
    turnedAway += 1;
    socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    turnedAway: () => turnedAway,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** An address where nobody listens any more. */
export async function nowhere(): Promise<string> {
  const { url, [Symbol.asyncDispose]: close } = await aServer("no connection");
  await close();
  return url;
}

export const says =
  (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_received, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  };

/** The request has arrived, and nothing comes back. */
export const breaksOff: Handler = (_received, response) => {
  response.socket?.resetAndDestroy();
};

export const saysHalf: Handler = (_received, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"half":', () => {
    response.socket?.destroy();
  });
};

/** Never answers. */
export const hangs: Handler = () => undefined;
