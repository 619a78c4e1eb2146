import { describe, expect, test } from "vitest";
import { startChild } from "./child.ts";

const start = (program: string, onLine?: (line: string) => void) =>
  startChild({
    ...{ checkout: "/", args: ["-e", program], env: { PATH: process.env["PATH"] } },
    ...(onLine === undefined ? {} : { onLine }),
  });

describe("startChild", () => {
  test("signals the process once, and waits until it has ended", async () => {
    let ready: () => void = () => undefined;
    const isUp = new Promise<void>((resolve) => (ready = resolve));
    const program =
      'process.on("SIGINT", () => { console.log("told"); process.exit(0); }); setInterval(() => {}, 1000); console.log("up")';
    const child = start(program, () => {
      ready();
    });
    await isUp;
    expect(child.hasEnded()).toBe(false);
    await child.stop();
    expect(child.hasEnded()).toBe(true);
    expect(child.lastLines()).toEqual(["up", "told"]);
  });

  test("keeps the last lines of a process that exits", async () => {
    const child = start('console.error("port taken"); process.exit(1)');
    await child.ended;
    expect(child.hasEnded()).toBe(true);
    expect(child.lastLines()).toEqual(["port taken"]);
    await child.stop();
  });
});
