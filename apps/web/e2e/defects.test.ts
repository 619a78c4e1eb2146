import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const [, section = ""] = readme.split("## Defects that must not come back");
const rows = Array.from(
  section.matchAll(/^\|(?<defect>[^|]*)\| `(?<flow>\S+)` *\| (?<name>[^|]+?) *\|$/gm),
  (row) => ({
    defect: row.groups?.["defect"]?.trim() ?? "",
    flow: row.groups?.["flow"] ?? "",
    name: row.groups?.["name"] ?? "",
  }),
);

test("the table lists thirteen defects", () => {
  expect(rows.filter(({ defect }) => defect !== "")).toHaveLength(13);
});

test.each(rows)("$flow has the test: $name", ({ flow, name }) => {
  const source = readFileSync(join(import.meta.dirname, "flows", flow), "utf8");
  const start = source.indexOf(`"${name}`);
  expect(start).toBeGreaterThan(-1);
  // It is the name of a test that runs: nothing skips it.
  expect(source.slice(Math.max(0, start - 600), start)).toMatch(/\btest(?:\.each\([^]*\))?\(\s*$/);
});
