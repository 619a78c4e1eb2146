import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { run } from "../../test/run-cli.ts";
import { Interrupted } from "../errors.ts";

const env = { COUNTERSIGN_URL: "http://127.0.0.1:9", COUNTERSIGN_API_KEY: "cs_user_test_key" };
const rpc = ["--rpc-url", "http://127.0.0.1:9"];
const proxy = (...args: readonly string[]) => run(["mcp-proxy", ...args], { env });
/** A server that ends with its input. */
const server = ["--", process.execPath, "-e", "process.stdin.resume()", "{rpc}"];

describe("countersign mcp-proxy", () => {
  test.each([
    ["no node", ["--", "npx", "@sei-js/mcp-server"], /Required option '--rpc-url/],
    ["no server", rpc, /needs the server's command after --, or --mcp-url/],
    ["two servers", [...rpc, "--mcp-url", "http://a.test/", "--", "node"], /needs the server's command/],
    ["a server that gets no RPC", [...rpc, "--", "node", "wallet.js"], /must get the proxy's RPC URL/],
    [
      "a URL without a port for the RPC",
      [...rpc, "--mcp-url", "http://a.test/"],
      /must get the proxy's RPC URL/,
    ],
    ["an unknown server", [...rpc, "--server", "other", ...server], /other cannot be read/],
    ["a fee that is no number", [...rpc, "--max-fee", "0.1", ...server], /--max-fee needs a number of wei/],
    ["a timeout without a unit", [...rpc, "--timeout", "10", ...server], /--timeout needs a duration/],
    ["a port that is no number", [...rpc, "--rpc-port", "x", ...server], /--rpc-port needs a port/],
  ])("refuses %s", async (_, args, why) => {
    const { code, stderr, stdout } = await proxy(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(why);
  });

  test("needs a credential before it starts the server", async () => {
    const { code, stderr } = await run(["mcp-proxy", ...rpc, ...server], {
      env: { COUNTERSIGN_URL: env.COUNTERSIGN_URL },
    });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/aren't signed in/)]);
  });

  test("ends with the host's input, without output of its own", async () => {
    expect(await proxy(...rpc, ...server)).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  test("passes messages of the host to the server and back, until the host's input ends", async () => {
    const input = new PassThrough();
    const pong = `process.stdin.on("data", (given) => {
      const { id } = JSON.parse(String(given));
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { rpc: process.env.RPC_URL } }));
    })`;
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    const { code, stdout } = await run(
      ["mcp-proxy", ...rpc, "--rpc-env", "RPC_URL", "--", process.execPath, "-e", pong],
      {
        ...{ env, input },
        onWrite: (text) => {
          if (text.includes("result")) input.end();
        },
      },
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\{"jsonrpc":"2\.0","id":1,"result":\{"rpc":"http:\/\/127\.0\.0\.1:/);
  });

  test.each([
    ["ends", [process.execPath, "-e", "process.exit(7)"], /The server is gone: .* ended with code 7/],
    ["cannot be started", ["/nowhere/server"], /The server is gone: .* could not be started/],
  ])("fails if the server %s", async (_, command, why) => {
    const { code, stderr } = await run(["mcp-proxy", ...rpc, "--rpc-env", "RPC_URL", "--", ...command], {
      ...{ env, input: new PassThrough() },
    });
    expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  });

  test("ends the server when it is interrupted", async () => {
    const interruption = new AbortController();
    const started = "console.error('started'); process.stdin.resume()";
    const { code } = await run(["mcp-proxy", ...rpc, "--", process.execPath, "-e", started, "{rpc}"], {
      ...{ env, input: new PassThrough(), signal: interruption.signal },
      onWrite: (text) => {
        if (text.includes("started")) interruption.abort(new Interrupted());
      },
    });
    expect(code).toBe(130);
  });
});
