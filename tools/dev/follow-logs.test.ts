import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { waitUntil } from "../engines/wait.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import { followLogs } from "./follow-logs.ts";

const temp = makeTempDir("follow-logs");
afterAll(() => {
  rmSync(temp, { recursive: true });
});

it("shows whole lines under the name of their part, and the last ones when it ends", async () => {
  const folder = `${temp}/logs`;
  let shown = "";
  const end = followLogs(folder, (text) => (shown += text));
  mkdirSync(folder);
  appendFileSync(`${folder}/api.log`, "one\ntw");
  await waitUntil("the first line is shown", () => shown.includes("one"));
  expect(shown).toBe("api             │ one\n");
  appendFileSync(`${folder}/api.log`, "o\n");
  end();
  expect(shown).toBe("api             │ one\napi             │ two\n");
});
