import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startFaultyProxy, type FaultyProxy } from "./faulty-proxy.ts";

let server: Server;
let proxy: FaultyProxy;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      asked.push(`${request.method ?? ""} ${Buffer.concat(await request.toArray()).toString()}`);
      response.end("answer");
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startFaultyProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  proxy.fail();
  asked.length = 0;
});
afterAll(() => {
  proxy.close();
  server.close();
});

const ask = async (body = "question"): Promise<string> =>
  (await fetch(proxy.url, { method: "POST", body })).text();

test("without a fault hands on what is asked and what is answered", async () => {
  expect(await ask()).toBe("answer");
  expect(asked).toEqual(["POST question"]);
});
test("down: forwards nothing", async () => {
  proxy.fail({ isDown: true });
  await expect(ask()).rejects.toThrow();
  expect(asked).toEqual([]);
  expect(proxy.failures()).toBe(1);
});
test("losing answers: it was asked all the same", async () => {
  proxy.fail({ losesAnswers: true });
  await expect(ask()).rejects.toThrow();
  expect(asked).toEqual(["POST question"]);
});
test("copies: asked so often", async () => {
  proxy.fail({ copies: 3 });
  expect(await ask()).toBe("answer");
  expect(asked).toHaveLength(3);
});
test("another byte, another answer, another question", async () => {
  proxy.fail({ flipsByte: true });
  expect(await ask()).toBe("`nswer");
  proxy.fail({ answers: { status: 500, body: "no" } });
  expect(await ask()).toBe("no");
  proxy.fail({ rewrites: async (body) => body.toUpperCase() });
  await ask();
  expect(asked.at(-1)).toBe("POST QUESTION");
});
test("only where it is told to", async () => {
  proxy.fail({ isDown: true, when: ({ method }) => method === "GET" });
  expect(await ask()).toBe("answer");
  expect(proxy.failures()).toBe(0);
});
