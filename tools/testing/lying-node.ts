// A node that forwards to a real one and changes some of its answers.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Answer = { id: number; result?: unknown; error?: unknown };
type Question = { readonly id: number; readonly method: string; readonly params?: unknown[] };
/** Returns the result to send instead. Throws to break the connection. */
type Lie = (method: string, result: unknown, params: readonly unknown[]) => unknown;

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

export async function startLyingNode(target: () => string) {
  let lie: Lie = (_, result) => result;
  let delayMs = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    void (async () => {
      requests += 1;
      const body = await textOf(request);
      const asked = [JSON.parse(body) as Question | Question[]].flat();
      const answer = await fetch(target(), {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      const answers = (await answer.json()) as Answer | Answer[];
      const change = (one: Answer): Answer => {
        const { method = "", params = [] } = asked.find(({ id }) => id === one.id) ?? {};
        return { ...one, result: lie(method, one.result, params) };
      };
      const told = Array.isArray(answers) ? answers.map(change) : change(answers);
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(told));
      // A lie that throws, and a request that a test aborts.
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (how: Lie) => {
      lie = how;
    },
    hang: (ms: number) => {
      delayMs = ms;
    },
    isHonest: () => {
      [lie, delayMs] = [(_, result) => result, 0];
    },
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type LyingNode = Awaited<ReturnType<typeof startLyingNode>>;
