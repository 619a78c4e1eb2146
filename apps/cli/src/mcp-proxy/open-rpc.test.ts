import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRpc } from "./open-rpc.ts";
import type { RpcRequest } from "./sending-call.ts";

async function anRpc(request: (asked: RpcRequest) => Promise<unknown> = async () => "0x1") {
  const asked: RpcRequest[] = [];
  const rpc = await openRpc({
    request: async (one) => {
      asked.push(one);
      return request(one);
    },
  });
  onTestFinished(rpc.close);
  const post = async (body: unknown, { type = "application/json", url = rpc.url, method = "POST" } = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(url, {
      ...{ method, headers: { "content-type": type } },
      ...(method === "POST" ? { body: text } : {}),
    });
    return { status: response.status, body: await response.json() };
  };
  return { rpc, post, asked };
}

const one = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };

test("answers one request, and several at once", async () => {
  const { post, asked } = await anRpc();
  expect(await post(one)).toEqual({ status: 200, body: { jsonrpc: "2.0", id: 1, result: "0x1" } });
  const { body } = await post([one, { ...one, id: "b" }]);
  expect(body).toEqual([
    { jsonrpc: "2.0", id: 1, result: "0x1" },
    { jsonrpc: "2.0", id: "b", result: "0x1" },
  ]);
  expect(asked).toHaveLength(3);
});

describe("an error", () => {
  const failing = (more: object) => anRpc(() => Promise.reject(Object.assign(new Error("no"), more)));
  test.each([
    [{}, -32_603],
    [{ code: 3, data: "0x08" }, 3],
    // viem would repeat a request with another code.
    [{ code: 4001 }, -32_003],
    // Libraries then use another method.
    [{ code: 4200 }, -32_601],
  ])("%j has code %d", async (more, code) => {
    const { post } = await failing(more);
    expect((await post(one)).body).toMatchObject({ error: { message: "no", ...more, code } });
  });
});

describe("is not reached", () => {
  test("by a page of a browser, which can only send other types without asking", async () => {
    const { post, asked } = await anRpc();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
      expect(await post(one, { type })).toMatchObject({ status: 415 });
    expect(asked).toEqual([]);
  });

  test("by another path or method", async () => {
    const { rpc, post, asked } = await anRpc();
    expect(rpc.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    expect(await post(one, { url: new URL("/", rpc.url).href })).toMatchObject({ status: 404 });
    expect(await post(one, { method: "GET" })).toMatchObject({ status: 415 });
    expect(asked).toEqual([]);
  });

  test("with what is no JSON-RPC", async () => {
    const { post, asked } = await anRpc();
    expect(await post("{")).toMatchObject({ status: 413 });
    for (const body of [5, {}, { method: 5 }])
      expect(await post(body)).toMatchObject({ body: { error: { code: -32_600 } } });
    expect(asked).toEqual([]);
  });

  test("with more than five million bytes", async () => {
    const { post } = await anRpc();
    expect(await post({ ...one, params: ["0".repeat(5_000_001)] })).toMatchObject({ status: 413 });
  });
});

test("a fixed port is used as it is, and cannot be used twice", async () => {
  const { rpc } = await anRpc();
  const port = Number(new URL(rpc.url).port);
  await expect(openRpc({ port, request: async () => "" })).rejects.toThrow("EADDRINUSE");
  await rpc.close();
  const fixed = await openRpc({ port, request: async () => "0x2" });
  onTestFinished(fixed.close);
  expect(fixed.url).toBe(`http://127.0.0.1:${port}/`);
  // Only on this machine.
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
});
