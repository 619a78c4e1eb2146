import { describe, expect, test } from "vitest";
import { planDocument } from "./plan.ts";

const fence = (info: string, text = ""): string => `\`\`\`${info}\n${text}\n\`\`\`\n`;
const faultsOf = (...blocks: readonly string[]): readonly string[] =>
  planDocument(blocks.join("\n")).faults.map(({ message }) => message);

describe("the steps of a document", () => {
  test("joins ts blocks into one program that runs at the position of the last one", () => {
    const { steps } = planDocument([fence("ts", "a"), fence("sh", "b"), fence("ts", "c")].join("\n"));
    expect(steps.map(({ kind }) => kind)).toEqual(["commands", "program"]);
    expect(steps[1]).toMatchObject({ blocks: [{ text: "a\n" }, { text: "c\n" }] });
  });

  test("a named program is another one", () => {
    const { steps } = planDocument([fence("ts", "a"), fence('ts program="b"', "b")].join("\n"));
    expect(steps).toMatchObject([{ name: "main" }, { name: "b" }]);
  });

  test("output belongs to the commands right before it", () => {
    const { steps, faults } = planDocument([fence("sh", "a"), fence("json output", "{}")].join("\n"));
    expect(faults).toEqual([]);
    expect(steps).toMatchObject([{ kind: "commands", output: { text: "{}\n" } }]);
  });

  test("json that is not called output is not compared", () => {
    const { steps } = planDocument([fence("sh", "a"), fence("json", "{}")].join("\n"));
    expect(steps[0]).not.toHaveProperty("output");
  });

  test("lists blocks that are not run, with their reason", () => {
    const plan = planDocument(fence('sh not-run="takes an hour"', "sleep 3600"));
    expect(plan).toEqual({ steps: [], notRun: [{ line: 1, reason: "takes an hour" }], faults: [] });
  });
});

describe("rejects", () => {
  test("JSON that does not parse", () => {
    expect(faultsOf(fence("json", "{ a: 1 }"))).toEqual([expect.stringContaining("not JSON")]);
    expect(faultsOf(fence("jsonc", '{ "a": [1, /* two */ 2,], // "b"\n "c": "// d" }'))).toEqual([]);
    expect(faultsOf(fence("jsonc", '{ "a": }'))).toHaveLength(1);
  });

  test("output of nothing, or of what is not run", () => {
    expect(faultsOf(fence("json output", "{}"))).toEqual(["no commands stand before this output"]);
    expect(faultsOf(fence('sh not-run="x"', "a"), fence("json output", "{}"))).toEqual([
      "the commands before this output are not run",
    ]);
  });

  test("a file that no command reads", () => {
    expect(faultsOf(fence('ts file="a.ts"'))).toHaveLength(1);
    expect(faultsOf(fence('ts file="a.ts"'), fence("sh", "node a.ts"))).toEqual([]);
  });
});
