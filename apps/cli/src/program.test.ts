import type { Command } from "commander";
import { expect, test } from "vitest";
import { makeContext, type MutableFlags } from "./context.ts";
import { makeProgram } from "./program.ts";
import { aWorld, run } from "../test/run-cli.ts";

const flags: MutableFlags = { json: false, color: true };
const program = makeProgram(makeContext(aWorld().world, flags), flags);
const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];
const all = allOf(program);
const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

test("prints help without arguments and exits with 0", async () => {
  const ran = await run("");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("Usage: countersign");
});

test.each(all.map((command) => [nameOf(command), command] as const))(
  "help of %s fits 80 columns and has a description",
  async (name, command) => {
    const ran = await run([...name.split(" ").slice(1), "--help"]);
    expect(ran.code).toBe(0);
    expect(command.description()).not.toBe("");
    // Examples are for copying, so they may exceed the width.
    const [text = ""] = ran.stdout.split(/^Examples?:/m);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  },
);

test("every command shows an example", async () => {
  for (const command of program.commands)
    expect((await run([command.name(), "--help"])).stdout).toMatch(/Examples?:\n {2}countersign /);
});

test("no option or argument takes a secret", () => {
  for (const command of all) {
    const taking = command.options.filter(({ required, optional }) => required || optional);
    const names = [
      ...taking.map(({ long }) => long ?? ""),
      ...command.registeredArguments.map((one) => one.name()),
    ];
    for (const name of names)
      expect(`${nameOf(command)} ${name}`).not.toMatch(
        /\b(key|secret|token|password|private|session|mnemonic)s?$/i,
      );
  }
});

test("reports an unknown command with a suggestion", async () => {
  const ran = await run("whoam");
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("Did you mean whoami?");
  expect(ran.stderr).toContain("→ countersign --help");
});

test("reports usage errors as JSON with --json", async () => {
  const ran = await run("whoami --bogus --json");
  expect(ran).toMatchObject({ code: 2, stderr: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: { code: "usage", message: "Unknown option '--bogus'" },
  });
});

test("prints the help of a command group on stderr", async () => {
  const ran = await run("keys");
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("revoke");
});

test("prints the package version", async () => {
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  expect((await run("--version")).stdout).toBe(`${manifest.version}\n`);
});
