// The contracts' own checks, which forge makes. Here so that one command runs everything.
import { describe, expect, it } from "vitest";
import { runForge } from "./bin/forge.ts";

describe("the contracts", () => {
  it.each([
    ["are formatted", ["fmt", "--check"]],
    ["compile without a warning", ["build"]],
    ["keep their claims and invariants", ["test"]],
    ["cost the gas that .gas-snapshot says", ["snapshot", "--match-contract", "GasTest", "--check"]],
  ])("%s", async (_claim, args) => {
    const { code, output } = await runForge(args);
    expect(code, output).toBe(0);
  });
});
