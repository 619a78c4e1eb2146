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

test("uses color only on a terminal, unless overridden", () => {
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

test("prints one JSON document on stdout and notices on stderr", () => {
  const { output, written } = anOutput({ json: true });
  output.notice("by the way");
  output.answer({ a: 1 }, () => "a page");
  expect(JSON.parse(written.stdout)).toEqual({ a: 1 });
  expect(written.stderr).toBe("by the way\n");
});

test("prints several answers and the error as JSON lines", () => {
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

test("clears the progress line before other output", () => {
  const { output, written } = anOutput({ isTTY: true });
  output.progress("waiting");
  output.notice("done");
  expect(written.stderr).toBe("waiting\r\u001B[Kdone\n");
});

test("assumes 80 columns if the width is unknown", () => {
  expect(anOutput({ isTTY: true, columns: 0 }).output.width()).toBe(80);
  expect(anOutput({ isTTY: true, columns: 0, env: { COLUMNS: "100" } }).output.width()).toBe(100);
  expect(anOutput({ isTTY: true, columns: 132 }).output.width()).toBe(132);
});

test("decides color per stream", () => {
  const { output } = anOutput({ isTTY: true, isFile: ["stderr"] });
  expect([output.hasColour(), output.hasColour("stderr")]).toEqual([true, false]);
});

test("wraps sentences on a terminal only", () => {
  const sentence = "No service is configured yet. Sign in first.";
  const terminal = anOutput({ isTTY: true, columns: 30 });
  terminal.output.prose(sentence);
  expect(terminal.written.stderr).toBe("No service is configured yet.\nSign in first.\n");
  const file = anOutput({ columns: 30 });
  file.output.prose(sentence);
  expect(file.written.stderr).toBe(`${sentence}\n`);
});

test("prefixes commands with npx if started by npx", () => {
  expect(anOutput({ env: { npm_lifecycle_event: "npx" } }).output.program).toBe("npx countersign");
  expect(anOutput({ env: { npm_lifecycle_event: "dev" } }).output.program).toBe("countersign");
});

test("writes no progress to a file", () => {
  const { output, written } = anOutput({});
  output.progress("waiting");
  expect(written.stderr).toBe("");
});
