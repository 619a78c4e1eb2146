import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { createPublicClient, type PublicClient } from "viem";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeTransport, type NodeUrls } from "./index.ts";

const chainId = 5;

/** How a node answers a request: a result, an error of JSON-RPC, a status of HTTP, or silence. */
type Behaviour = {
  chainId?: number;
  height?: number;
  error?: { readonly code: number; readonly message: string };
  status?: number;
  isSilent?: boolean;
  text?: string;
};

type FakeNode = { readonly url: string; readonly asked: string[]; is: Behaviour; readonly stop: () => void };

async function bodyOf(request: IncomingMessage): Promise<{ id: number; method: string }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as { id: number; method: string };
}

/** A JSON-RPC server whose balance of any address is its own number, so that an answer shows who gave it. */
async function aNode(number: number, is: Behaviour = {}): Promise<FakeNode> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then(({ id, method }) => {
      asked.push(method);
      const now = node.is;
      if (now.isSilent === true) return;
      const results: Readonly<Record<string, unknown>> = {
        eth_chainId: `0x${(now.chainId ?? chainId).toString(16)}`,
        eth_blockNumber: `0x${(now.height ?? 100).toString(16)}`,
        eth_getBlockByNumber: { number: `0x${(now.height ?? 100).toString(16)}`, transactions: [] },
        eth_getBalance: `0x${number.toString(16)}`,
      };
      const isVerifying = method === "eth_chainId" || method === "eth_blockNumber";
      const answer =
        now.error !== undefined && !isVerifying ? { error: now.error } : { result: results[method] };
      response.writeHead(now.status ?? 200, { "content-type": "application/json" });
      response.end(now.text ?? JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(stop);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const node: FakeNode = { url, asked, is, stop };
  return node;
}

const clientOf = (nodes: readonly FakeNode[], timeoutMs = 2_000): PublicClient =>
  createPublicClient({
    transport: nodeTransport({
      ...{ chainId, urls: nodes.map(({ url }) => url) as unknown as NodeUrls, timeoutMs },
    }),
    cacheTime: 0,
  });

const address = `0x${"11".repeat(20)}` as const;
const whoAnswers = (client: PublicClient): Promise<bigint> => client.getBalance({ address });

describe("one node", () => {
  test("gets every request, and no other ones", async () => {
    const node = await aNode(1);
    expect(await whoAnswers(clientOf([node]))).toBe(1n);
    expect(node.asked).toEqual(["eth_getBalance"]);
  });

  test("its failure is the caller's, without a retry", async () => {
    const node = await aNode(1, { status: 503 });
    await expect(whoAnswers(clientOf([node]))).rejects.toThrow();
    expect(node.asked).toEqual(["eth_getBalance"]);
  });
});

describe("several nodes", () => {
  test("use the first one while it answers, and ask the others nothing", async () => {
    const [first, second] = [await aNode(1), await aNode(2)];
    const client = clientOf([first, second]);
    expect([await whoAnswers(client), await whoAnswers(client)]).toEqual([1n, 1n]);
    expect(first.asked.filter((method) => method === "eth_chainId")).toHaveLength(1);
    expect(second.asked).toEqual([]);
  });

  test.each<[string, Behaviour]>([
    ["answers 503", { status: 503 }],
    ["answers 401", { status: 401 }],
    ["does not answer in time", { isSilent: true }],
    ["answers with something else than JSON", { text: "<html>" }],
    ["exceeds its limit", { error: { code: -32005, message: "limit exceeded" } }],
    ["exceeds its limit with HTTP's code", { error: { code: 429, message: "too many requests" } }],
    ["serves another chain", { chainId: 6 }],
  ])("move to the next one, and stay there, when one %s", async (_, failing) => {
    const [first, second] = [await aNode(1, failing), await aNode(2)];
    const client = clientOf([first, second], 300);
    expect(await whoAnswers(client)).toBe(2n);
    first.is = {};
    expect(await whoAnswers(client)).toBe(2n);
    expect(second.asked).toEqual(["eth_chainId", "eth_blockNumber", "eth_getBalance", "eth_getBalance"]);
  });

  test("move to the next one when one is gone, and back when that one is gone", async () => {
    const nodes = [await aNode(1), await aNode(2)] as const;
    const client = clientOf(nodes);
    await whoAnswers(client);
    nodes[0].is = { status: 500 };
    expect(await whoAnswers(client)).toBe(2n);
    nodes[0].is = {};
    nodes[1].stop();
    expect(await whoAnswers(client)).toBe(1n);
  });

  test("return an error of the request without asking another node", async () => {
    const [first, second] = [
      await aNode(1, { error: { code: 3, message: "execution reverted" } }),
      await aNode(2),
    ];
    await expect(whoAnswers(clientOf([first, second]))).rejects.toThrow("execution reverted");
    expect(second.asked).toEqual([]);
  });

  test("do not use one that is behind what another one has shown", async () => {
    const [first, second] = [await aNode(1, { height: 100 }), await aNode(2, { height: 99 })];
    const client = clientOf([first, second]);
    await client.getBlockNumber();
    first.is = { status: 500 };
    await expect(whoAnswers(client)).rejects.toThrow();
    second.is = { height: 100 };
    expect(await whoAnswers(client)).toBe(2n);
  });

  test("learn the height from the newest block, too", async () => {
    const [first, second] = [await aNode(1, { height: 100 }), await aNode(2, { height: 99 })];
    const client = clientOf([first, second]);
    await client.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
    first.is = { status: 500 };
    await expect(whoAnswers(client)).rejects.toThrow("behind");
  });

  test("notice another program at the address of the node in use", async () => {
    const [first, second] = [await aNode(1), await aNode(2)];
    const client = clientOf([first, second]);
    await whoAnswers(client);
    first.is = { chainId: 6 };
    expect(await client.getChainId()).toBe(chainId);
    expect(await whoAnswers(client)).toBe(2n);
  });

  test("fail with the last node's failure when none can be used, and ask each once", async () => {
    const nodes = [await aNode(1, { status: 500 }), await aNode(2, { chainId: 6 })];
    await expect(whoAnswers(clientOf(nodes))).rejects.toThrow("serves chain 6");
    for (const { asked } of nodes) expect(asked.filter((method) => method === "eth_chainId")).toHaveLength(1);
  });

  test("a caller's own deadline moves on, for the next request", async () => {
    const [first, second] = [await aNode(1, { isSilent: true }), await aNode(2)];
    const client = clientOf([first, second], 10_000);
    const cutOff = client.request({ method: "eth_chainId" }, { signal: AbortSignal.timeout(200) });
    await expect(cutOff).rejects.toThrow();
    expect(await whoAnswers(client)).toBe(2n);
  });

  test("no request fails while any node answers, whatever the others do", async () => {
    const kinds: readonly Behaviour[] = [{}, { status: 500 }, { status: 403 }, { text: "" }];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ up: fc.nat(2), others: fc.tuple(fc.nat(3), fc.nat(3)) }), { maxLength: 6 }),
        async (rounds) => {
          const nodes = [await aNode(1), await aNode(2), await aNode(3)];
          const client = clientOf(nodes);
          for (const { up, others } of rounds) {
            for (const [index, node] of nodes.entries())
              node.is = index === up ? {} : (kinds[others[index % 2] ?? 0] ?? {});
            const answers = await Promise.all([whoAnswers(client), whoAnswers(client)]);
            await sleep(0);
            for (const answer of answers) expect(nodes[Number(answer) - 1]?.is).toEqual({});
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});
