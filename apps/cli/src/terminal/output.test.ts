import { expect, test } from "vitest";
import { makeOutput } from "./output.ts";

function anOutput(options: {
  readonly isTTY?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly json?: boolean;
  readonly color?: boolean;
  readonly columns?: number;
  readonly isFile?: readonly string[];
}) {
  const { isTTY = false, env = {}, json = false, color = true, columns, isFile = [] } = options;
  const written = { stdout: "", stderr: "" };
  const streamOf = (name: keyof typeof written) => ({
    isTTY: isTTY && !isFile.includes(name),
    columns,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const parts = { stdout: streamOf("stdout"), stderr: streamOf("stderr") };
  return { written, output: makeOutput({ ...parts, env, flags: { json, color } }) };
}

test("is coloured on a terminal only, unless it is told otherwise", () => {
  expect(anOutput({ isTTY: true }).output.hasColour()).toBe(true);
  expect(anOutput({ isTTY: false }).output.hasColour()).toBe(false);
  expect(anOutput({ isTTY: true, env: { NO_COLOR: "1" } }).output.hasColour()).toBe(false);
  expect(anOutput({ isTTY: true, env: { NO_COLOR: "" } }).output.hasColour()).toBe(true);
  expect(anOutput({ isTTY: true, env: { TERM: "dumb" } }).output.hasColour()).toBe(false);
  expect(anOutput({ isTTY: false, env: { FORCE_COLOR: "1" } }).output.hasColour()).toBe(true);
  expect(anOutput({ isTTY: true, env: { FORCE_COLOR: "0" } }).output.hasColour()).toBe(false);
  expect(anOutput({ isTTY: true, env: { FORCE_COLOR: "1", NO_COLOR: "1" } }).output.hasColour()).toBe(false);
  expect(anOutput({ isTTY: true, color: false }).output.hasColour()).toBe(false);
  expect(anOutput({ isTTY: true, json: true }).output.hasColour()).toBe(false);
});

test("with --json stdout is one document, and notices are elsewhere", () => {
  const { output, written } = anOutput({ json: true });
  output.notice("by the way");
  output.answer({ a: 1 }, () => "a page");
  expect(JSON.parse(written.stdout)).toEqual({ a: 1 });
  expect(written.stderr).toBe("by the way\n");
});

test("with --json each of several answers is a line, and so is the error after them", () => {
  const { output, written } = anOutput({ json: true });
  output.item({ a: 1 }, () => undefined);
  output.item({ a: 2 }, () => undefined);
  output.answer({ error: { code: "x" } }, () => "");
  const lines = written.stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { a: 1 },
    { a: 2 },
    { error: { code: "x" } },
  ]);
});

test("what is under way is wiped before anything else is written", () => {
  const { output, written } = anOutput({ isTTY: true });
  output.progress("waiting");
  output.notice("done");
  expect(written.stderr).toBe("waiting\r\u001B[Kdone\n");
});

test("a terminal that does not know its width is taken for 80 columns wide", () => {
  expect(anOutput({ isTTY: true, columns: 0 }).output.width()).toBe(80);
  expect(anOutput({ isTTY: true, columns: 0, env: { COLUMNS: "100" } }).output.width()).toBe(100);
  expect(anOutput({ isTTY: true, columns: 132 }).output.width()).toBe(132);
});

test("stderr in a file is not coloured because stdout is a terminal", () => {
  const { output } = anOutput({ isTTY: true, isFile: ["stderr"] });
  expect([output.hasColour(), output.hasColour("stderr")]).toEqual([true, false]);
});

test("sentences are broken between words on a terminal, and nowhere else", () => {
  const sentence = "Nobody has said yet which service to talk to.";
  const terminal = anOutput({ isTTY: true, columns: 30 });
  terminal.output.prose(sentence);
  expect(terminal.written.stderr).toBe("Nobody has said yet which\nservice to talk to.\n");
  const file = anOutput({ columns: 30 });
  file.output.prose(sentence);
  expect(file.written.stderr).toBe(`${sentence}\n`);
});

test("whoever came by npx is told commands that begin with it", () => {
  expect(anOutput({ env: { npm_lifecycle_event: "npx" } }).output.program).toBe("npx countersign");
  expect(anOutput({ env: { npm_lifecycle_event: "dev" } }).output.program).toBe("countersign");
});

test("what is under way is nothing for a file", () => {
  const { output, written } = anOutput({});
  output.progress("waiting");
  expect(written.stderr).toBe("");
});
