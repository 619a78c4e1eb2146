import { expect, test } from "vitest";
import { nodeOf } from "./node-of.ts";

const nodeThatSays = (body: unknown, status = 200) => {
  const asked: unknown[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    asked.push(JSON.parse(init?.body as string));
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
  const { request } = nodeOf("http://node.test", fetch);
  return { asked, request: (method: string, params?: unknown) => request({ method, params } as never) };
};

test("returns the node's result", async () => {
  const { request, asked } = nodeThatSays({ jsonrpc: "2.0", id: 1, result: null });
  expect(await request("eth_getTransactionByHash", ["0x"])).toBe(null);
  expect(asked).toEqual([{ jsonrpc: "2.0", id: 1, method: "eth_getTransactionByHash", params: ["0x"] }]);
});

test("keeps the code and data of the node's errors", async () => {
  const { request } = nodeThatSays({ error: { code: 3, message: "execution reverted", data: "0x08c379a0" } });
  await expect(request("eth_call")).rejects.toMatchObject({
    message: "execution reverted",
    code: 3,
    data: "0x08c379a0",
  });
});

test.each(["", "<html>", "[]", "5"])("rejects what is no answer: %j", async (body) => {
  await expect(nodeThatSays(body, 502).request("eth_call")).rejects.toThrow(
    "the node answered 502 without JSON",
  );
});
