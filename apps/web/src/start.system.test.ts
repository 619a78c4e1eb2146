// Tests the operator's start command. npm runs no pre or post scripts here (.npmrc), so it has to build the pages itself.
import { createServer } from "node:http";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "../../../tools/engines/ports.ts";
import { makeSupervisor } from "../../../tools/engines/supervisor.ts";
import { waitUntil } from "../../../tools/engines/wait.ts";
import { makeTempDir } from "../../../tools/testing/temp-dir.ts";

const root = resolve(import.meta.dirname, "../../..");
const dir = makeTempDir("web-start");
const supervisor = makeSupervisor({ logDir: dir });
const mainService = createServer((_, response) => response.end("{}"));

beforeAll(async () => {
  mainService.listen(0, "127.0.0.1");
  await once(mainService, "listening");
});
afterAll(async () => {
  await supervisor.stop();
  mainService.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(script: readonly string[], pages: string) {
  const [port = 0] = await freePorts(1);
  const child = supervisor.start({
    name: `web-${port}`,
    command: "npm",
    args: [...script, "-w", "apps/web"],
    cwd: root,
    env: {
      PORT: String(port),
      API_URL: `http://127.0.0.1:${(mainService.address() as AddressInfo).port}`,
      PAGES_DIR: pages,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  return { child, url, log: () => readFileSync(child.logFile, "utf8") };
}

const answers = (url: string) => () =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

test("npm start builds the pages and serves them", async () => {
  const { child, url } = await start(["start"], join(dir, "built"));
  await waitUntil("the web app answers", answers(url), { child, seconds: 150 });
  const page = await fetch(url, { headers: { accept: "text/html" } });
  const html = await page.text();
  expect([page.status, html]).toEqual([200, expect.stringContaining("/assets/")]);
  const [, script = ""] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
  expect((await fetch(`${url}${script}`)).status).toBe(200);
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  await child.stop();
});

test("npm start fails if the pages cannot be built", async () => {
  // Blocks the pages folder with a file.
  writeFileSync(join(dir, "in-the-way"), "");
  const { child, url, log } = await start(["start"], join(dir, "in-the-way/pages"));
  const { reason } = await child.exited;
  expect(reason).toContain("exit code 1");
  expect(log()).toContain("in-the-way");
  expect(await answers(url)()).toBe(false);
});

test("npm run serve logs missing pages and answers 503 on /ready", async () => {
  const pages = join(dir, "empty");
  mkdirSync(pages);
  const { child, url, log } = await start(["run", "serve"], pages);
  await waitUntil("the web app answers", answers(url), { child, seconds: 60 });
  expect((await fetch(`${url}/ready`)).status).toBe(503);
  expect((await fetch(url, { headers: { accept: "text/html" } })).status).toBe(503);
  expect(log()).toContain("web app not built");
  await child.stop();
});
