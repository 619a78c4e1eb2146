import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

const log = new URL("./index.ts", import.meta.url).href;

/** Runs a process that logs, and returns what it wrote until it ended. */
async function written(code: string): Promise<string> {
  const text = `const { makeLog } = await import(${JSON.stringify(log)});
    const log = makeLog({ app: "test", level: "info" });
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", text], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
  });
  await once(child, "close");
  return output;
}

const messages = (output: string): readonly unknown[] =>
  output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { msg: unknown }).msg);

test.each([
  ["ends on its own", ""],
  ["exits", "process.exit(0);"],
  ["fails with an uncaught error", 'throw new Error("uncaught");'],
  ["fails with an unhandled rejection", 'void Promise.reject(new Error("unhandled"));'],
])("writes the last lines of a process that %s", async (_, end) => {
  expect(messages(await written(`log.info("one"); log.info("two"); ${end}`))).toEqual(["one", "two"]);
});

test("writes a warning at once, after the lines before it", async () => {
  const output = await written(`log.info("before"); log.warn("warning"); log.info("after");
    process.kill(process.pid, "SIGKILL");`);
  expect(messages(output)).toEqual(["before", "warning"]);
});

test("writes a line while the process goes on", async () => {
  const output = await written(`log.info("waiting");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 1_000);`);
  expect(messages(output)).toEqual(["waiting"]);
});

test("writes many lines completely and in order", async () => {
  const output = await written("for (let line = 0; line < 20_000; line++) log.info(String(line));");
  expect(messages(output)).toEqual(Array.from({ length: 20_000 }, (_, line) => String(line)));
});

test("survives a reader that closes its end", async () => {
  const code = `setInterval(() => log.info("x".repeat(10_000)), 5);
    setTimeout(() => { process.stderr.write("alive"); process.exit(0); }, 500);`;
  const text = `const { makeLog } = await import(${JSON.stringify(log)});
    const log = makeLog({ app: "test", level: "info" }); ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", text], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [told] = (await once(child.stderr.setEncoding("utf8"), "data")) as [string];
  expect(told).toBe("alive");
  await once(child, "close");
  expect(child.exitCode).toBe(0);
});
