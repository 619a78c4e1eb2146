import { keccak256, type Hex } from "viem";
import { describe, expect, test, vi } from "vitest";
import {
  aProxy,
  aTool,
  alice,
  saidIn,
  sending,
  sign,
  text,
  words,
  type Server,
} from "../../test/mcp-proxy.ts";

const rejected = { decide: () => ({ status: "REJECTED" as const, reason: "because" }) };
const until = (isDone: () => boolean): Promise<void> =>
  vi.waitFor(() => {
    if (!isDone()) throw new Error("not yet");
  });

describe("the list of tools", () => {
  const listed = async (tools: readonly object[]) => {
    const { proxy, toHost, notices } = aProxy({ server: { tools: tools as never } });
    proxy.fromHost({ jsonrpc: "2.0", id: "l", method: "tools/list" });
    await until(() => toHost.length > 0);
    return { tools: (toHost[0]?.["result"] as { tools: Record<string, unknown>[] }).tools, notices };
  };

  test("asks for the user's request where a tool sends, and leaves others as they are", async () => {
    const { tools } = await listed([aTool("transfer"), aTool("look")]);
    expect(tools[0]).toMatchObject({
      inputSchema: { properties: { to: {}, userPrompt: { type: "string" } }, required: ["userPrompt"] },
      execution: { taskSupport: "forbidden" },
      description: expect.stringMatching(
        /^Does transfer\. It is verified against the user's request/,
      ) as string,
    });
    expect(tools[1]).toEqual(aTool("look"));
  });

  test("hides what may not be called, and says so once", async () => {
    const { tools, notices } = await listed([
      aTool("look"),
      aTool("deploy"),
      aTool("sweep"),
      aTool("getBalance"),
    ]);
    expect(tools.map(({ name }) => name)).toEqual(["look", "getBalance"]);
    expect(notices).toEqual([expect.stringMatching(/hidden, .*: deploy, sweep\. To allow them/)]);
  });

  test("shows no private key that a server offers as a default", async () => {
    const key = "ab".repeat(32);
    const properties = {
      privateKey: { type: "string", default: `0x${key}` },
      other: { default: key },
      n: { default: 5 },
    };
    const { tools } = await listed(
      ["transfer", "look"].map((name) => aTool(name, { inputSchema: { properties } })),
    );
    expect(JSON.stringify(tools)).not.toContain(key);
    expect(tools[1]?.["inputSchema"]).toEqual({
      properties: { privateKey: { type: "string" }, other: {}, n: { default: 5 } },
    });
  });

  test("hides a tool that has an argument of the same name", async () => {
    const inputSchema = { properties: { userPrompt: { type: "string" } } };
    expect((await listed([aTool("transfer", { inputSchema })])).tools).toEqual([]);
  });
});

describe("a call that sends", () => {
  test("reaches the server without the request, and is answered with the server's own result", async () => {
    const { call, answerTo, toServer, proposals, sent } = aProxy();
    const id = call("transfer", { userPrompt: words }, { _meta: { a: 1 } });
    await until(() => answerTo(id) !== undefined);
    expect(toServer[0]?.["params"]).toEqual({ name: "transfer", arguments: { to: alice }, _meta: { a: 1 } });
    const raw = await sign();
    expect(answerTo(id)).toEqual({ jsonrpc: "2.0", id, result: text(keccak256(raw)) });
    expect(proposals).toMatchObject([{ userPrompt: words }]);
    expect(sent()).toEqual([raw]);
  });

  test("is answered with the reason if it is not approved, although the server reports a hash", async () => {
    const { call, answerTo, sent } = aProxy({ script: rejected });
    const id = call("transfer", { userPrompt: words });
    await until(() => answerTo(id) !== undefined);
    const said = saidIn(answerTo(id));
    expect(said).toMatch(/"isError":true/);
    expect(said).toMatch(/Nothing was sent\..*Not sent: REJECTED\. because \(proposal 0x(ab)+\)/);
    expect(said).not.toContain(keccak256(await sign()));
    expect(sent()).toEqual([]);
  });

  test("names what was sent if only a part was approved", async () => {
    let count = 0;
    const server: Server = {
      call: async (_, rpc) => {
        await rpc("eth_sendRawTransaction", [await sign()]);
        return text(String(await rpc("eth_sendRawTransaction", [await sign({ nonce: 8, value: 1n })])));
      },
    };
    const decide = () => (count++ === 0 ? {} : { status: "REJECTED" as const });
    const { call, answerTo, sent } = aProxy({ server, script: { decide } });
    const id = call("transfer", { userPrompt: words });
    await until(() => answerTo(id) !== undefined);
    const raw = await sign();
    expect(saidIn(answerTo(id))).toContain(`Sent, before the rest was refused: ${keccak256(raw)}.`);
    expect(sent()).toEqual([raw]);
  });

  test("reports what was sent if the server gives up before the owner decides", async () => {
    const server: Server = {
      call: async (_, rpc) => {
        await rpc("eth_sendRawTransaction", [await sign()]);
        return text("Timed out while waiting for the receipt", true);
      },
    };
    const { call, answerTo } = aProxy({ server });
    const id = call("transfer", { userPrompt: words });
    await until(() => answerTo(id) !== undefined);
    expect(saidIn(answerTo(id))).toMatch(/reports an error, but this was approved and sent: 0x[0-9a-f]{64}/);
  });

  test("is refused at once if what the server signed cannot be approved", async () => {
    const server: Server = {
      call: async (_, rpc) =>
        rpc("eth_sendRawTransaction", [await sign({ to: undefined })]).then(
          () => text("deployed"),
          () => text("the server hides the reason"),
        ),
    };
    const { call, answerTo, proposals } = aProxy({ server });
    const id = call("transfer", { userPrompt: words });
    await until(() => answerTo(id) !== undefined);
    expect(saidIn(answerTo(id))).toMatch(/Not sent: it has no recipient/);
    expect(proposals).toEqual([]);
  });

  test.each([
    ["without a request", {}, {}],
    ["with an empty request", { userPrompt: " " }, {}],
    ["with a request that is no text", { userPrompt: { text: words } }, {}],
    ["as a task", { userPrompt: words }, { task: { ttl: 1 } }],
  ])("is not forwarded %s", (_, given, more) => {
    const { call, answerTo, toServer } = aProxy();
    expect(saidIn(answerTo(call("transfer", given, more)))).toMatch(/Nothing was sent/);
    expect(toServer).toEqual([]);
  });

  test("reports progress with the page where the owner decides, and prints one line", async () => {
    const { call, answerTo, toHost, notices } = aProxy();
    const id = call("transfer", { userPrompt: words }, { _meta: { progressToken: "p" } });
    await until(() => answerTo(id) !== undefined);
    const progress = toHost.filter(({ method }) => method === "notifications/progress");
    expect(progress[0]).toMatchObject({
      params: {
        progressToken: "p",
        progress: 1,
        message: "waiting for approval. Review it at https://c.test/0xab",
      },
    });
    expect(notices).toEqual(["Countersign: waiting for approval. Review it at https://c.test/0xab"]);
  });

  test("repeats its progress while it waits", async () => {
    const server: Server = { call: () => new Promise((resolve) => setTimeout(resolve, 100, text("done"))) };
    const { call, answerTo, toHost } = aProxy({ server, options: { beatMs: 5 } });
    const id = call("transfer", { userPrompt: words }, { _meta: { progressToken: 1 } });
    await until(() => answerTo(id) !== undefined);
    const numbers = toHost
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => (params as { progress: number }).progress);
    expect(numbers.length).toBeGreaterThan(2);
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  });

  test("waits for the one before it, so that each transaction has its own request", async () => {
    let isFirst = true;
    const { promise: isOpen, resolve: open } = Promise.withResolvers<undefined>();
    const server: Server = {
      call: async (message, rpc) => {
        if (isFirst) {
          isFirst = false;
          await isOpen;
        }
        const nonce = (message["id"] as number) + 6;
        return text(String(await rpc("eth_sendRawTransaction", [await sign({ nonce })])));
      },
    };
    const { call, answerTo, toServer, proposals } = aProxy({ server });
    const [first, second] = [
      call("transfer", { userPrompt: "one" }),
      call("transfer", { userPrompt: "two" }),
    ];
    await until(() => toServer.length === 1);
    open(undefined);
    await until(() => answerTo(first) !== undefined && answerTo(second) !== undefined);
    expect(proposals.map(({ userPrompt }) => userPrompt)).toEqual(["one", "two"]);
  });

  test("with an id that is in use is refused", async () => {
    const { proxy, call, toHost } = aProxy({ server: { call: () => new Promise(() => undefined) } });
    const id = call("transfer", { userPrompt: words });
    const params = { name: "transfer", arguments: { userPrompt: words } };
    proxy.fromHost({ jsonrpc: "2.0", id, method: "tools/call", params });
    expect(JSON.stringify(toHost)).toMatch(/in progress/);
  });
});

describe("a cancelled call", () => {
  const never: Server = { call: () => new Promise(() => undefined) };
  const cancel = (requestId: number) => ({
    ...{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } },
  });

  test("gets no answer, and what waits for approval is not sent", async () => {
    const { promise: isOpen, resolve: open } = Promise.withResolvers<undefined>();
    const server: Server = {
      call: async (_, rpc) => text(String(await rpc("eth_sendRawTransaction", [await sign()]))),
    };
    const { proxy, call, answerTo, sent, node, toServer } = aProxy({ server, options: { drainMs: 5 } });
    const { request } = node.provider;
    node.provider.request = async (asked) => {
      if (asked.method === "eth_getTransactionCount") await isOpen;
      return request(asked);
    };
    const id = call("transfer", { userPrompt: words });
    await until(() => toServer.length === 1);
    proxy.fromHost(cancel(id));
    open(undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([answerTo(id), sent()]).toEqual([undefined, []]);
    expect(toServer.at(-1)).toEqual(cancel(id));
  });

  test("that waits for its turn never reaches the server", async () => {
    const { proxy, call, toServer } = aProxy({ server: never, options: { drainMs: 5 } });
    const [first, second] = [
      call("transfer", { userPrompt: words }),
      call("transfer", { userPrompt: words }),
    ];
    await until(() => toServer.length === 1);
    proxy.fromHost(cancel(second));
    proxy.fromHost(cancel(first));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(toServer.filter(({ method }) => method === "tools/call")).toHaveLength(1);
  });

  test("does not let its late transaction count for the next call", async () => {
    let rpcOfFirst: ((raw: Hex) => Promise<unknown>) | undefined;
    const server: Server = {
      call: (message, rpc) => {
        if (message["id"] !== 1) return sending.call?.(message, rpc) ?? Promise.reject(new Error());
        rpcOfFirst = (raw) => rpc("eth_sendRawTransaction", [raw]);
        return new Promise(() => undefined);
      },
    };
    const { proxy, call, answerTo, proposals, toServer } = aProxy({ server, options: { drainMs: 200 } });
    const first = call("transfer", { userPrompt: "one" });
    await until(() => rpcOfFirst !== undefined);
    proxy.fromHost(cancel(first));
    const second = call("transfer", { userPrompt: "two" });
    await expect(rpcOfFirst?.(await sign())).rejects.toThrow("the call was cancelled");
    expect(toServer.filter(({ method }) => method === "tools/call")).toHaveLength(1);
    await until(() => answerTo(second) !== undefined);
    expect(proposals.map(({ userPrompt }) => userPrompt)).toEqual(["two"]);
  });
});

describe("outside of a call that sends", () => {
  test.each([
    "eth_sendRawTransaction",
    "eth_sendTransaction",
    "wallet_sendCalls",
    "eth_signTypedData_v4",
    "personal_sign",
  ])("%s is refused, and nothing is proposed", async (method) => {
    const { rpc, node, proposals } = aProxy();
    await expect(rpc(method, [await sign()])).rejects.toThrow(/^(Not s|.* is not allowed)/);
    expect([node.did(), proposals]).toEqual([[], []]);
  });

  test("a tool that passes cannot send", async () => {
    const { call, answerTo, sent, proposals } = aProxy();
    const id = call("look");
    await until(() => answerTo(id) !== undefined);
    expect(saidIn(answerTo(id))).toMatch(/only during a call with the user's request/);
    expect([sent(), proposals]).toEqual([[], []]);
  });

  test("reads pass", async () => {
    expect(await aProxy().rpc("eth_getBalance", [alice, "latest"])).toBe("0x64");
  });
});

describe("a server that sends in another way", () => {
  const server: Server = { call: async () => text(`sent ${"0x" + "cd".repeat(32)}`) };

  test("is found out by its answer, and no further call is forwarded", async () => {
    const { call, answerTo, toServer, notices } = aProxy({ server });
    const first = call("transfer", { userPrompt: words });
    await until(() => answerTo(first) !== undefined);
    expect(saidIn(answerTo(first))).toMatch(/this call was not verified/);
    const second = call("transfer", { userPrompt: words });
    await until(() => answerTo(second) !== undefined);
    expect(saidIn(answerTo(second))).toMatch(/Nothing was sent. The proxy refuses calls that send/);
    expect(toServer).toHaveLength(1);
    expect(notices).toEqual([expect.stringMatching("without the guard")]);
  });
});

test("a preview that repeats a hash of the call is no sign of another way", async () => {
  const salt = `0x${"EF".repeat(32)}`;
  const server: Server = { call: async () => text(`will write ${salt.toLowerCase()}`) };
  const { call, answerTo } = aProxy({ server });
  const id = call("transfer", { userPrompt: words, args: [salt] });
  await until(() => answerTo(id) !== undefined);
  expect(saidIn(answerTo(id))).toContain("will write");
});

describe("everything else", () => {
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: "a", method: "resources/read", params: { uri: "x:y" } },
    { jsonrpc: "2.0", id: 3, method: "prompts/get", params: { name: "tools/call" } },
    { jsonrpc: "2.0", id: 0, method: "a/method/of/later", params: { deep: [{ x: null }] } },
    { jsonrpc: "2.0", id: 9, result: { roots: [] } },
  ];
  test.each(messages)("passes to the server unchanged: %j", (message) => {
    const { proxy, toServer } = aProxy({ server: {} });
    proxy.fromHost(message);
    expect(toServer).toEqual([message]);
  });

  test.each([
    ...[{ jsonrpc: "2.0", id: 1, method: "sampling/createMessage", params: {} }],
    ...[{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }],
    ...[{ jsonrpc: "2.0", id: 1, result: { tools: "not a list of ours" } }],
    ...[{ jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } }],
  ])("passes to the host unchanged: %j", (message) => {
    const { proxy, toHost } = aProxy();
    proxy.fromServer(message);
    expect(toHost).toEqual([message]);
  });

  test("a request of the server with the id of a call does not answer the call", async () => {
    const { proxy, call, toHost, answerTo } = aProxy({
      server: { call: () => new Promise(() => undefined) },
    });
    const id = call("transfer", { userPrompt: words });
    const request = { jsonrpc: "2.0", id, method: "roots/list" };
    proxy.fromServer(request);
    expect(toHost).toEqual([request]);
    proxy.fromServer({ jsonrpc: "2.0", id, result: text("done") });
    await until(() => toHost.length === 2);
    expect(answerTo(id)).toEqual(request);
  });

  test.each(["deploy", "sweep", "constructor", "__proto__", "signMessage", "get_private_key"])(
    "a call of %s is refused, and never reaches the server",
    (name) => {
      const { call, answerTo, toServer } = aProxy();
      expect(saidIn(answerTo(call(name, { userPrompt: words })))).toMatch(/Nothing was done/);
      expect(toServer).toEqual([]);
    },
  );

  test("a call without an id, or without a name, is not forwarded", () => {
    const { proxy, toServer } = aProxy();
    const params = { name: "transfer", arguments: { userPrompt: words } };
    proxy.fromHost({ jsonrpc: "2.0", method: "tools/call", params });
    proxy.fromHost({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { arguments: {} } });
    expect(toServer).toEqual([]);
  });
});
