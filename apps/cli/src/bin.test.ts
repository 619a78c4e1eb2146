import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/countersign.js", import.meta.url));

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const start = (args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], COUNTERSIGN_CONFIG_DIR: "/nonexistent" };
    execFile(process.execPath, args, { env, timeout: 25_000 }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });

test("reports a Node version that is too old", async () => {
  const pretend = `Object.defineProperty(process, "versions", { value: { node: "18.20.0" } })`;
  const ended = await start([
    "--import",
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    bin,
    "--version",
  ]);
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("needs Node 24 or later, and this is 18.20.0.");
});

test("keeps the launcher readable for an old Node", async () => {
  const source = await readFile(bin, "utf8");
  expect(source.startsWith("#!/usr/bin/env node\n")).toBe(true);
  // The launcher must import nothing before it has checked the version.
  const imported = [...source.matchAll(/^import .* from "(.*)";$/gm)].map(([, from = ""]) => from);
  expect(imported.filter((from) => !from.startsWith("node:"))).toEqual([]);
});

test("runs the command and returns its exit code", async () => {
  expect(await start([bin, "--version"])).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
  expect(await start([bin, "whoami"])).toMatchObject({ code: 2, stdout: "" });
});
