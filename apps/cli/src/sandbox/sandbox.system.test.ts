import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePortRange } from "@countersign/tools/engines";
import { makeTempDir } from "@countersign/tools/testing";
import { run } from "../../test/run-cli.ts";

type Answer = {
  readonly demo: readonly {
    readonly input: string;
    readonly decision: string;
    readonly report: unknown;
  }[];
};

test("starts, shows an approved and an explained verdict, and stops cleanly", async () => {
  const configDirectory = makeTempDir("cli-sandbox-profiles");
  const data = makeTempDir("cli-sandbox");
  const ports = await freePortRange(16);
  const { stdout, stderr, code } = await run(
    ["sandbox", "--demo", "--exit", "--json", "--data", data, "--ports", String(ports)],
    { configDirectory, env: { PATH: process.env["PATH"], HOME: process.env["HOME"] } },
  );
  expect(code, stderr).toBe(0);
  const { demo } = JSON.parse(stdout) as Answer;
  expect(demo.map(({ input, decision }) => [input, decision])).toEqual([
    ["payment", "APPROVED"],
    ["wrong-recipient", "REJECTED"],
  ]);
  // A saved report can be explained after the system has stopped.
  const file = join(data, "report.json");
  await writeFile(file, JSON.stringify(demo[1]?.report));
  const explained = await run(["explain", file], { configDirectory });
  expect(explained.stdout).toContain("intent_alignment.recipient_match");
  expect((await run("status", { configDirectory })).code).toBe(7);
});
