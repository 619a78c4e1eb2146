import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readExport, type ReceivedSpan } from "./otlp.ts";

export type { ReceivedSpan } from "./otlp.ts";

/** `hang`: it takes requests and never answers. */
type Mode = "accept" | "refuse" | "hang";

export type Collector = {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** Everything it was sent, as text. */
  readonly text: () => string;
  /** How many requests it got, in any mode. */
  readonly requests: () => number;
  readonly setMode: (mode: Mode) => void;
  readonly close: () => Promise<void>;
};

/** Starts a collector on a free loopback port. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  let mode: Mode = "accept";
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (mode === "hang") return;
    const answer = (status: number): void => {
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    };
    void (async () => {
      const text = Buffer.concat(await request.toArray()).toString("utf8");
      if (mode === "refuse") {
        answer(400);
        return;
      }
      if (request.method !== "POST" || request.url !== "/v1/traces") {
        answer(404);
        return;
      }
      try {
        spans.push(...readExport(JSON.parse(text)));
        texts.push(text);
        answer(200);
      } catch {
        answer(400);
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    text: () => texts.join("\n"),
    requests: () => requests,
    setMode: (next) => {
      mode = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
