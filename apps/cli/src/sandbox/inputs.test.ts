import { describe, expect, test } from "vitest";
import { run } from "../../test/run-cli.ts";
import { findInput, inputs } from "./inputs.ts";

describe("countersign sandbox inputs", () => {
  test("lists inputs with their outcomes, within 80 columns", async () => {
    const { stdout, code } = await run("sandbox inputs");
    for (const { name, outcome } of inputs) expect(stdout).toContain(`${name}  ${outcome}`);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(code).toBe(0);
  });

  test("prints the list as JSON", async () => {
    const listed = JSON.parse((await run("sandbox inputs --json")).stdout) as { readonly name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(inputs.map(({ name }) => name));
  });

  test("have unique names, and a check for each rejection", () => {
    expect(new Set(inputs.map(({ name }) => name)).size).toBe(inputs.length);
    for (const { name, outcome, because } of inputs) {
      expect(because !== undefined).toBe(outcome === "REJECTED");
      expect(findInput(name)?.name).toBe(name);
    }
  });
});
