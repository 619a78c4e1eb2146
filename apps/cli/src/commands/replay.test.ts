import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { run } from "../../test/run-cli.ts";

// Recorded from a development system.
const file = new URL("../../test/render/receipt.json", import.meta.url);
const receipt = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
const noNetwork: typeof fetch = () => Promise.reject(new Error("the network was used"));
const replay = (document: unknown) => run("replay -", { stdin: JSON.stringify(document), fetch: noNetwork });
const bundle = { version: 1, hash: `0x${"1".repeat(64)}`, request: { human_intent: "Send 1 ETH" } };

describe("countersign replay", () => {
  test("exits with 2 for a document without a bundle", async () => {
    for (const document of [receipt, { ...receipt, bundle: null }, {}, []]) {
      const { code, stderr } = await replay(document);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--bundle > receipt.json")]);
    }
  });

  test("exits with 4 for a receipt that contradicts itself, without repeating anything", async () => {
    const { code, stdout } = await replay({ ...receipt, bundle, decision: "UNDECIDED" });
    expect(stdout).toMatch(/^✗ DIFFERS\.[^]*different decisions/);
    expect(code).toBe(4);
  });
});
