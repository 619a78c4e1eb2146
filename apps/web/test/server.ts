import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { Config } from "../src/config.ts";
import { makeServer } from "../src/server/routes.ts";

type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
type Answer = (response: ServerResponse, received: Received) => void | Promise<void>;

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(JSON.stringify(body));
  };

/** A recording fake of the main service. */
export async function aMainService() {
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      received.push(one);
      const [path = ""] = url.split("?");
      const answer = answers.get(`${method} ${path}`) ?? json(200, { answered: path });
      void answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (call: string, answer: Answer): void => void answers.set(call, answer),
    callsOf: (path: string) => received.filter(({ url }) => url.split("?")[0] === path),
    reset: (): void => {
      received.length = 0;
      answers.clear();
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Builds an unsigned token: the server decodes tokens but does not verify them. */
export const aToken = (name: string, lifeSeconds: number): string =>
  `${encode({ alg: "ES256" })}.${encode({ name, exp: Math.floor(Date.now() / 1000) + lifeSeconds })}.c2lnbmF0dXJl`;

export const pageText = "<!doctype html><title>Countersign</title>";
export const scriptText = `export const words = "${"the same again ".repeat(100)}";`;

function somePages(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-pages-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), pageText);
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  const script = join(folder, "assets/index-abc123.js");
  writeFileSync(script, scriptText);
  writeFileSync(`${script}.br`, brotliCompressSync(scriptText));
  writeFileSync(`${script}.gz`, gzipSync(scriptText));
  writeFileSync(join(folder, ".secret"), "must not be served");
  return folder;
}

/** Starts the server on its own port, with its log. */
export async function aWebServer(settings: Record<string, string>, { built = true } = {}) {
  const pages = built ? somePages() : mkdtempSync(join(tmpdir(), "countersign-pages-"));
  const lines: string[] = [];
  const log = makeLog({ app: "web", level: "info", to: { write: (line: string) => void lines.push(line) } });
  const { server } = await makeServer({ config: loadConfig(Config, settings), log, pages });
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const own = { "x-countersign-page": "1" };
  return {
    url,
    lines,
    /** Calls without the page header. */
    send: (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${url}${path}`, init),
    /** Calls with the page header. */
    call: (
      path: string,
      { headers, ...init }: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
    ) => fetch(`${url}${path}`, { ...init, headers: { ...own, ...headers } }),
    close: async (): Promise<void> => {
      await server.close();
      rmSync(pages, { recursive: true, force: true });
    },
  };
}
