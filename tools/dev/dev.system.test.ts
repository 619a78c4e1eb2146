import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePortRange, isPortFree } from "../engines/ports.ts";
import { withClient } from "../engines/postgres.ts";
import { createCountersign } from "../../packages/sdk/src/index.ts";
import { signIn } from "../../packages/sdk/src/viem/index.ts";
import { removePostgres } from "../engines/postgres-home.ts";
import { identifyProcess, isRunning, type ProcessIdentity } from "../engines/process-identity.ts";
import { fetchOk, waitUntil } from "../engines/wait.ts";
import { storyOwner } from "../seed/story.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { root } from "./options.ts";
import { portCount } from "./ports.ts";
import type { StackFile } from "./stack-file.ts";

const temp = makeTempDir("dev");
const dataDir = `${temp}/data`;
const stackFile = `${dataDir}/stack.json`;
let base = 0;

type Dev = {
  readonly npm: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<unknown>;
};

const started: Dev[] = [];
const withoutStory = "--no-story";
const withoutWorld = "--no-world";

beforeAll(async () => {
  base = await freePortRange(portCount);
});
afterEach(async () => {
  for (const { npm, exited } of started.splice(0)) {
    npm.kill("SIGTERM");
    await exited;
  }
});
afterAll(() => {
  removePostgres(`${dataDir}/postgres`);
  rmSync(temp, { recursive: true });
});

/** Runs the developer's command in its own process group, like a terminal. */
function runDev(...args: readonly string[]): Dev {
  const npm = spawn("npm", ["run", "dev", "--", "--data", dataDir, "--ports", String(base), ...args], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const dev = { npm, output: () => text, exited: once(npm, "close") };
  started.push(dev);
  return dev;
}

async function runToTheEnd(...args: readonly string[]): Promise<{ code: number | null; text: string }> {
  const dev = runDev(...args);
  await dev.exited;
  return { code: dev.npm.exitCode, text: dev.output() };
}

type Green = Dev & { readonly stack: StackFile; readonly processes: readonly ProcessIdentity[] };

async function runUntilGreen(...args: readonly string[]): Promise<Green> {
  const dev = runDev(...args);
  await waitUntil("all is green", () => dev.output().includes("All green") || isOver(dev), { seconds: 240 });
  const stack = JSON.parse(readFileSync(stackFile, "utf8")) as StackFile;
  const pids = [stack.runner.pid, stack.guard.pid, ...Object.values(stack.pids)];
  return { ...dev, stack, processes: pids.map((pid) => identifyProcess(pid) ?? { pid, startTime: "" }) };
}

function isOver({ npm, output }: Dev): false {
  if (npm.exitCode !== null) throw new Error(`npm run dev ended:\n${output()}`);
  return false;
}

async function expectNothingLeft({ processes }: Green): Promise<void> {
  await waitUntil("every process is gone", () => !processes.some(isRunning), { seconds: 30 });
  const ports = Array.from({ length: portCount }, (_, offset) => base + offset);
  // PostgreSQL's own children notice a moment later that their parent was killed, and hold its port until then.
  const areFree = async (): Promise<boolean> => !(await Promise.all(ports.map(isPortFree))).includes(false);
  await waitUntil("every port is free", areFree, { seconds: 30 });
}

const runSeed = (dir: string): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    execFile(
      "npm",
      ["run", "--silent", "seed", "--", "--data", dir],
      { cwd: root },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), text: stdout + stderr });
      },
    );
  });

const countNotes = (stack: StackFile): Promise<number> =>
  withClient(stack.urls.postgres, async (client) => {
    await client.query("create table if not exists note (id int)");
    return (await client.query("select from note")).rowCount ?? 0;
  });

const addNote = (stack: StackFile): Promise<unknown> =>
  withClient(stack.urls.postgres, (client) => client.query("insert into note values (1)"));

// One test, because each start takes seconds and the runs tell one story: what one leaves, the next one finds. On a busy machine
// the four of them take minutes.
it("brings everything up, takes everything down, and keeps the data in between", async () => {
  const first = await runUntilGreen();
  await expectAllAnswer(first.stack);
  expectTable(first);
  await expectSecondRunRefused(first);
  await expectStory(first);
  await expectSimulated(first);
  expect(await countNotes(first.stack)).toBe(0);
  await addNote(first.stack);
  await expectLostPartTold(first);
  // As a terminal does on Ctrl-C: to everybody in the foreground. npm then passes its own on, too.
  process.kill(-(first.npm.pid ?? 0), "SIGINT");
  await first.exited;
  await expectNothingLeft(first);
  expect(first.output()).toContain("Stopped.");
  expect(first.output()).not.toContain("Killed.");
  expect(existsSync(stackFile)).toBe(false);

  const second = await runUntilGreen(withoutStory, withoutWorld);
  expect(await countNotes(second.stack)).toBe(1);
  expect(second.stack.contracts).toEqual(first.stack.contracts);
  second.npm.kill("SIGTERM");
  await second.exited;
  await expectNothingLeft(second);
  expect(second.output()).toContain("Stopped.");

  const third = await runUntilGreen(withoutStory, withoutWorld);
  process.kill(-(third.npm.pid ?? 0), "SIGKILL");
  // At once: the next run waits for the guard of the one that was killed.
  const fourth = await runUntilGreen("--fresh", withoutStory, withoutWorld);
  await waitUntil("the third run is gone", () => !third.processes.some(isRunning));
  expect(await countNotes(fourth.stack)).toBe(0);
  // A part that cannot stop: the first Ctrl-C waits for it, the second does not.
  process.kill(fourth.stack.pids["api"] ?? 0, "SIGSTOP");
  process.kill(-(fourth.npm.pid ?? 0), "SIGINT");
  await waitUntil("it stops", () => fourth.output().includes("Stopping."));
  await sleep(1_000);
  process.kill(-(fourth.npm.pid ?? 0), "SIGINT");
  await fourth.exited;
  await expectNothingLeft(fourth);
  expect(fourth.output()).toContain("Killed.");
}, 900_000);

async function expectAllAnswer({ urls }: StackFile): Promise<void> {
  for (const url of [
    `${urls.api}/health`,
    `${urls.api}/ready`,
    `${urls.validator}/health`,
    `${urls.validator}/ready`,
    `${urls.ipfs}/health`,
    `${urls.restateIngress}/restate/health`,
    `${urls.restateAdmin}/health`,
    `${urls.custodian}/stand-in/transactions`,
    `${urls.walletProvider}/stand-in/transactions`,
    `${urls.web}/ready`,
    `${urls.simulator}/ready`,
  ])
    await fetchOk(url);
  expect(await (await fetchOk(`${urls.api}/health`)).json()).toMatchObject({ status: "ok" });
}

function expectTable({ output, stack }: Green): void {
  const text = output();
  for (const { name, address, status } of stack.parts)
    expect(text).toMatch(
      new RegExp(`^ +${name} +${escapeRegExp(address)} +${escapeRegExp(status)} +\\S+$`, "m"),
    );
  expect(stack.parts.map(({ name }) => name)).toEqual([
    "postgres",
    "restate",
    "anvil",
    "ipfs",
    "world",
    "simulator",
    "validator",
    "api",
    "worker",
    "orion",
    "custodian",
    "wallet-provider",
    "web",
  ]);
  expect(stack.parts.find(({ name }) => name === "web")?.status).toBe("ready");
  expect(text).toContain(`Or open ${stack.urls.web}`);
  for (const name of ["custodian", "wallet-provider"])
    expect(stack.parts.find((part) => part.name === name)?.status).toBe("stand-in");
  for (const { logFile } of stack.parts) expect(existsSync(logFile)).toBe(true);
  for (const address of Object.values(stack.contracts)) expect(text).toContain(address);
  // Piped: neither colours nor lines that are rewritten.
  expect(text).not.toContain("\u001B[");
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** An owner with transactions of every kind: made after the table was shown, made once, and to be seen through the web app. */
async function expectStory({ output, stack: { urls } }: Green): Promise<void> {
  await waitUntil("the story is told", () => /Seeding a story for \S+ … done in/.test(output()), {
    seconds: 120,
  });
  const { address, privateKey } = storyOwner();
  expect(output()).toContain(address);
  expect(output()).toContain(privateKey);
  const session = await signIn({ url: urls.api, wallet: privateKeyToAccount(privateKey) });
  const owner = createCountersign({ url: urls.api, session });
  const { transactions } = await owner.transactions();
  expect(transactions.map(({ status, reason }) => [status, reason].join(" ").trim())).toEqual([
    "REJECTED ORION",
    "PENDING",
    "REJECTED USER",
    "EXECUTED",
    "REJECTED ORION",
    "REJECTED ORION",
    "PENDING",
  ]);
  expect(transactions[0]?.description).toContain("30,000 ETH");
  expect(await runSeed(dataDir)).toMatchObject({
    code: 0,
    text: expect.stringContaining("The story was told before.") as string,
  });
  expect((await owner.transactions()).transactions).toHaveLength(transactions.length);
  const page = await fetchOk(urls.web, { headers: { accept: "text/html" } });
  expect(await page.text()).toContain("<title>Countersign</title>");
}

/** A proposal on the chain of the world rests on a simulation, and its verdict can be repeated from what was stored. */
async function expectSimulated({ stack: { urls } }: Green): Promise<void> {
  const session = await signIn({ url: urls.api, wallet: privateKeyToAccount(storyOwner().privateKey) });
  const owner = createCountersign({ url: urls.api, session });
  const { secret } = await owner.keys.create({ name: "agent on the world" });
  const agent = createCountersign({ url: urls.api, apiKey: secret });
  const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
  const { requestHash } = await agent.propose({
    ...{ userPrompt: `Send 1 ETH to ${to}`, tx: { to, value: 10n ** 18n }, chainId: 1 },
    deadline: new Date(Date.now() + 3_600_000),
  });
  await owner.waitForVerdict(requestHash, { timeoutMs: 120_000 });
  const receipt = await owner.receipt(requestHash, { bundle: true });
  expect(receipt).toMatchObject({
    decision: "APPROVED",
    report: { context: { state: { status: "proven" }, inputs: { hash: receipt.bundle?.hash } } },
  });
  writeFileSync(`${temp}/receipt.json`, JSON.stringify(receipt));
  expect(await replay(`${temp}/receipt.json`)).toContain("IDENTICAL");
}

const replay = (file: string): Promise<string> =>
  new Promise((resolve) => {
    const cli = `${root}apps/cli/bin/countersign.js`;
    execFile(process.execPath, [cli, "replay", file], { cwd: root }, (_, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });

async function expectSecondRunRefused({ stack }: Green): Promise<void> {
  const { code, text } = await runToTheEnd("--fresh");
  expect(code).toBe(1);
  expect(text).toContain(`npm run dev is already running on ${dataDir} (pid ${stack.runner.pid}).`);
  await fetchOk(`${stack.urls.api}/health`);
}

async function expectLostPartTold({ output, stack }: Green): Promise<void> {
  process.kill(stack.pids["ipfs"] ?? 0, "SIGKILL");
  await waitUntil("it is told", () => output().includes(`ipfs exited unexpectedly (SIGKILL)`));
  const { parts } = JSON.parse(readFileSync(stackFile, "utf8")) as StackFile;
  expect(parts.find(({ name }) => name === "ipfs")?.status).toBe("exited (SIGKILL)");
  await fetchOk(`${stack.urls.api}/health`);
}

describe("refuses to start", () => {
  it("on a port that is taken, and says who has it", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(base + 3, "127.0.0.1", resolve));
    const { code, text } = await runToTheEnd("--data", `${temp}/other`);
    server.close();
    expect(code).toBe(1);
    expect(text).toContain(`Port ${base + 3} is needed for postgres and is taken by pid ${process.pid} (`);
    expect(existsSync(`${temp}/other/running.json`)).toBe(false);
  });

  it("in a folder that is not ours, even with --fresh", async () => {
    const photos = `${temp}/photos`;
    mkdirSync(photos);
    writeFileSync(`${photos}/holiday.jpg`, "");
    const { code, text } = await runToTheEnd("--data", photos, "--fresh");
    expect(code).toBe(1);
    expect(text).toContain(`${photos} is not empty and was not made by npm run dev.`);
    expect(existsSync(`${photos}/holiday.jpg`)).toBe(true);
  });

  it("with an option it does not know", async () => {
    const { code, text } = await runToTheEnd("--frehs");
    expect(code).toBe(2);
    expect(text).toContain("Unknown option '--frehs'");
  });
});

it("seeds nothing when no stack is running", async () => {
  expect(await runSeed(`${temp}/none`)).toEqual({
    code: 1,
    text: `No stack is running on ${temp}/none. Start one with npm run dev.\n`,
  });
});
