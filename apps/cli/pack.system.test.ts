// The command line as its users get it: built, packed with the SDK, installed into an empty project, and run from there.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempDir } from "../../tools/testing/temp-dir.ts";
import { version } from "./src/program.ts";

const here = import.meta.dirname;
// In this folder, so that the compiler finds the types of Node. The SDK's own test builds its dist/ at the same time.
const sdk = join(here, "dist-sdk/dist");
const project = makeTempDir("pack-cli");
const bin = join(project, "node_modules/.bin/countersign");
const env = {
  ...{ PATH: process.env["PATH"], HOME: project, COUNTERSIGN_CONFIG_DIR: join(project, "config") },
  ...{ COUNTERSIGN_URL: "http://127.0.0.1:9", COUNTERSIGN_API_KEY: "cs_user_test_key" },
};
const run = promisify(execFile);

async function pack(folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json", "--silent", "--pack-destination", project], {
    cwd: folder,
  });
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(project, packed.filename);
}

beforeAll(async () => {
  await run(process.execPath, [join(here, "build.ts")]);
  await run(process.execPath, [join(here, "../../packages/sdk/build.ts"), sdk]);
  const tarballs = [await pack(join(here, "dist")), await pack(sdk)];
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "user", private: true }));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--silent"];
  await run("npm", ["install", ...tarballs, ...quiet], { cwd: project });
  // It builds, packs and installs.
}, 300_000);
afterAll(() => {
  rmSync(project, { recursive: true, force: true });
  rmSync(join(here, "dist-sdk"), { recursive: true, force: true });
});

test("runs, and has no sources or tests in it", async () => {
  const { stdout } = await run(bin, ["--version"], { env });
  expect(stdout.trim()).toBe(version);
  const files = readdirSync(join(project, "node_modules/@countersign/cli"), {
    recursive: true,
    encoding: "utf8",
  });
  expect(files.filter((file) => /\.ts$|test/.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/main.js"]));
});

test("explains a failure like the command in the repository", async () => {
  const failure = await run(bin, ["mcp-proxy", "--rpc-url", "http://127.0.0.1:9", "--", "node"], {
    env,
  }).catch((error: unknown) => error as { readonly code: number; readonly stderr: string });
  expect(failure).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/must get the proxy's RPC URL/) as string,
  });
});

test("wraps an MCP server, also one whose requests are redirected", async () => {
  // It answers with what its own node says. A redirected request reaches the proxy, which refuses to sign.
  const server = `process.stdin.on("data", async (given) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sign", params: [] });
    const response = await fetch("https://node.invalid/", { method: "POST", body });
    console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(given).id, result: await response.json() }));
  });`;
  const args = ["mcp-proxy", "--rpc-url", "http://127.0.0.1:9", "--server", "bnb-chain"];
  const child = spawn(bin, [...args, "--", process.execPath, "-e", server], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 5, method: "ping" })}\n`);
  for await (const line of createInterface(child.stdout)) {
    expect(line).toMatch(/^\{"jsonrpc":"2\.0","id":5,"result":\{.*eth_sign is not allowed/);
    child.stdin.end();
  }
  expect(await closed).toEqual([0, null]);
});
