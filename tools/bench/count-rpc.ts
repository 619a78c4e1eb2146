// A proxy in front of a chain's node that counts the calls that pass through it, each call of a batch on its own.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchOk } from "../engines/index.ts";

export type RpcCounter = {
  readonly url: string;
  readonly count: () => number;
  readonly close: () => void;
};

const callsIn = (body: string): number => {
  const parsed = JSON.parse(body) as unknown;
  return Array.isArray(parsed) ? parsed.length : 1;
};

export async function startRpcCounter(target: string): Promise<RpcCounter> {
  let calls = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      const answer = async (): Promise<void> => {
        calls += callsIn(body);
        const headers = { "content-type": "application/json" };
        const given = await fetchOk(target, { method: "POST", headers, body });
        response.writeHead(200, headers).end(await given.text());
      };
      answer().catch(() => {
        response.writeHead(502).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
