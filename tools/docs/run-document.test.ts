import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { urlsOf } from "../dev/parts.ts";
import { defaultPorts } from "../dev/ports.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { runDocument, type Outcome } from "./run-document.ts";

const root = makeTempDir("documents");
mkdirSync(join(root, "examples"));
writeFileSync(join(root, "examples/neighbour.ts"), "export const neighbour = 1;\n");
afterAll(() => {
  rmSync(root, { recursive: true });
});

const system = { stackFile: "/nowhere", urls: urlsOf(defaultPorts) };
const fence = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\`\n`;
function run(...parts: readonly string[]): Promise<Outcome> {
  writeFileSync(join(root, "a.md"), parts.join("\n"));
  return runDocument(root, "a.md", system);
}

describe("a document that holds", () => {
  test("runs snippets as one program next to the examples", async () => {
    const outcome = await run(
      fence("ts", 'import assert from "node:assert/strict";\nimport { neighbour } from "../neighbour.ts";'),
      "prose",
      fence("ts", "assert.equal(neighbour, 1);"),
    );
    expect(outcome).toEqual({ blocks: 2, notRun: [], faults: [] });
  });

  test("commands are one session, and what they print is compared", async () => {
    const outcome = await run(
      fence("sh", "NAME=agent"),
      fence("sh", 'echo "{\\"name\\": \\"$NAME\\", \\"at\\": 12}"'),
      fence("json output", '{ "name": "agent", "at": "…" }'),
      fence('sh exit="3"', "exit 3"),
      fence("sh", "echo still here; echo in the same session"),
      fence("text output", "…\nin the … session"),
    );
    expect(outcome.faults).toEqual([]);
  });

  test("a file is there for the commands after it, and gone afterwards", async () => {
    const outcome = await run(
      fence('ts file="mine/agent.ts"', 'console.log("hello");'),
      fence("sh", "node mine/agent.ts"),
      fence("text output", "hello"),
    );
    expect(outcome.faults).toEqual([]);
    expect(readdirSync(root)).not.toContain("mine");
  });
});

test("commands that empty or write to what is installed leave the developer's as it is", async () => {
  mkdirSync(join(root, "node_modules/theirs"), { recursive: true });
  writeFileSync(join(root, "node_modules/theirs/index.js"), "");
  const { faults } = await run(
    fence("sh", "ls node_modules/theirs/index.js\nrm -rf node_modules/*\ntouch node_modules/new"),
  );
  expect(faults).toEqual([]);
  expect(readdirSync(join(root, "node_modules"))).toEqual(["theirs"]);
  expect(readdirSync(join(root, "node_modules/theirs"))).toEqual(["index.js"]);
});

describe("a document that does not hold", () => {
  test("a wrong assertion fails, and node's message names the line", async () => {
    const { faults } = await run(
      fence("ts", 'import assert from "node:assert/strict";'),
      fence("ts", "// a comment\nassert.equal(1 + 1, 3);"),
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toMatch(/a\.md:7:8/);
  });

  test("a misspelt command fails at its line", async () => {
    const { faults } = await run(fence("sh", "true"), fence("sh", "true\ncrul http://127.0.0.1:3000/health"));
    expect(faults).toEqual([
      { line: 7, message: expect.stringContaining("crul: command not found") as string },
    ]);
  });

  test("a failure inside a pipe, and an unset variable, fail", async () => {
    expect((await run(fence("sh", "false | cat"))).faults).toHaveLength(1);
    expect((await run(fence("sh", 'echo "$NOBODY_SET_THIS"'))).faults).toMatchObject([{ line: 1 }]);
  });

  test("fails if curl gets no response or an error", async () => {
    const serve = `node -e 'const s = require("node:http").createServer((_, a) => { a.statusCode = 404; a.end("no such path"); }).listen(0, "127.0.0.1", () => console.log(s.address().port))' > port &
while [ ! -s port ]; do sleep 0.05; done`;
    const { faults } = await run(
      fence("sh", serve),
      fence("sh", 'curl -s "http://127.0.0.1:$(cat port)/helth"'),
    );
    expect(faults).toMatchObject([{ message: expect.stringContaining("no such path") as string }]);
  });

  test("another output than is shown fails, with what was printed", async () => {
    const { faults } = await run(fence("sh", "echo '{\"a\": 1}'"), fence("json output", '{ "a": 2 }'));
    expect(faults).toEqual([{ line: 5, message: 'this was printed instead:\n{"a": 1}' }]);
  });

  test("fails on an unexpected exit code", async () => {
    expect((await run(fence('sh exit="3"', "exit 4"))).faults).toMatchObject([
      { message: "It ended with 4, not with 3." },
    ]);
    expect((await run(fence('sh exit="3"', "true"))).faults).toHaveLength(1);
  });

  test("the first failure ends the session", async () => {
    const marker = join(root, "..", `countersign-marker-${process.pid}`);
    await run(fence("sh", "false"), fence("sh", `touch ${marker}`));
    expect(existsSync(marker)).toBe(false);
  });

  test("reports invalid blocks before running anything", async () => {
    const { faults } = await run(fence("bahs", "true"), fence("sh", "false"));
    expect(faults).toMatchObject([{ line: 1, message: expect.stringContaining("bahs") as string }]);
  });
});
