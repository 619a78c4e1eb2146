import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { run } from "../../test/run-cli.ts";

/** Returns bash's completions for a partial command line. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await run("completion bash");
  const typed = ["countersign", ...words];
  const simulated = `${script}
COMP_WORDS=(${typed.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${typed.length - 1}
_countersign
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync("bash", ["--norc", "-eu", "-c", simulated], { encoding: "utf8", timeout: 20_000 });
  return out.split("\n").filter((line) => line !== "");
}

test("bash accepts the script", async () => {
  const { stdout: script } = await run("completion bash");
  expect(() => execFileSync("bash", ["-n"], { input: script, timeout: 20_000 })).not.toThrow();
});

test("bash completes commands, subcommands, options and choices", async () => {
  expect(await offered("lo")).toEqual(["login", "logout"]);
  expect(await offered("keys", "")).toEqual(expect.arrayContaining(["list", "create", "revoke", "--json"]));
  expect(await offered("keys", "create", "--e")).toEqual(["--expires"]);
  expect(await offered("completion", "b")).toEqual(["bash"]);
});

test("bash skips option values and completes files", async () => {
  expect(await offered("--profile", "keys", "who")).toEqual(["whoami"]);
  expect(await offered("-p", "keys", "who")).toEqual(["whoami"]);
  expect(await offered("login", "--wallet-file", "")).toEqual([]);
});

test.each(["bash", "zsh", "fish"])("the %s script contains every command", async (shell) => {
  const { stdout } = await run(`completion ${shell}`);
  const { stdout: help } = await run("--help");
  for (const [, name = ""] of help.matchAll(/^ {2}([a-z]+) (?:\[|<| {2})/gm)) expect(stdout).toContain(name);
});

test("the zsh and fish scripts quote descriptions", async () => {
  // Descriptions that contain a quote must stay quoted.
  const { stdout: zsh } = await run("completion zsh");
  const { stdout: fish } = await run("completion fish");
  expect(zsh).toContain("proposal'\\''s verdict");
  expect(fish).toContain("proposal\\'s verdict");
});

test("rejects an unknown shell", async () => {
  expect((await run("completion tcsh")).code).toBe(2);
});
