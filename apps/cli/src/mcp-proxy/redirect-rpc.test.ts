// The file that is loaded into another program, in a process of its own.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { environmentOf } from "./environment-of.ts";
import { openRpc } from "./open-rpc.ts";

const run = promisify(execFile);

/** Runs a program that prints what its requests were answered. */
async function fetchThere(requests: readonly string[]): Promise<{ answers: unknown; asked: string[] }> {
  const asked: string[] = [];
  const rpc = await openRpc({
    request: async ({ method }) => {
      asked.push(method);
      return "from the guard";
    },
  });
  onTestFinished(rpc.close);
  const program = `
    const answers = [];
    const post = (body) => ({ method: "POST", headers: { "content-type": "application/json" }, body });
    for (const request of [${requests.join()}])
      answers.push(await request().then((response) => response.json()).then(({ result }) => result, () => "nothing"));
    console.log(JSON.stringify(answers));`;
  const env = environmentOf(
    { PATH: process.env["PATH"] },
    { rpcUrl: rpc.url, rpcEnv: [], isRedirected: true },
  );
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { env });
  return { answers: JSON.parse(stdout) as unknown, asked };
}

const rpc = (method: string) => JSON.stringify(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] }));

test("sends JSON-RPC of nodes to the guard, however it is written", async () => {
  const { answers, asked } = await fetchThere([
    `() => fetch("https://fixed.invalid/", post(${rpc("eth_chainId")}))`,
    `() => fetch(new Request("https://fixed.invalid/", post(${rpc("net_version")})))`,
    `() => fetch(new URL("https://fixed.invalid/"), post(${rpc("eth_sendRawTransaction")}))`,
  ]);
  expect(answers).toEqual(["from the guard", "from the guard", "from the guard"]);
  expect(asked).toEqual(["eth_chainId", "net_version", "eth_sendRawTransaction"]);
});

test("leaves other requests where they go", async () => {
  const { answers, asked } = await fetchThere([
    `() => fetch("http://127.0.0.1:9/")`,
    `() => fetch("http://127.0.0.1:9/", post(${rpc("tools/list")}))`,
    `() => fetch("http://127.0.0.1:9/", post('{"jsonrpc"'))`,
    `() => fetch("data:application/json,{\\"result\\":\\"elsewhere\\"}")`,
  ]);
  expect(answers).toEqual(["nothing", "nothing", "nothing", "elsewhere"]);
  expect(asked).toEqual([]);
});

test("a server gets the guard's URL, and none of our credentials", () => {
  const env = {
    PATH: "/bin",
    COUNTERSIGN_API_KEY: "cs_user_x",
    COUNTERSIGN_WALLET_KEY: "0x",
    NODE_OPTIONS: "-r a",
  };
  const given = { rpcUrl: "http://127.0.0.1:1/", rpcEnv: ["RPC_URL"] };
  expect(environmentOf(env, { ...given, isRedirected: false })).toEqual({
    ...{ PATH: "/bin", NODE_OPTIONS: "-r a", RPC_URL: given.rpcUrl },
  });
  const file = fileURLToPath(new URL("redirect-rpc.mjs", import.meta.url));
  expect(environmentOf(env, { ...given, isRedirected: true })["NODE_OPTIONS"]).toBe(
    `-r a --import "${file}"`,
  );
});
