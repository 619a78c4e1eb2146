import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { newestOf } from "./web.ts";

const temp = makeTempDir("web-sources");
afterAll(() => {
  rmSync(temp, { recursive: true });
});

/** Writes a file that is so many seconds old. */
function write(path: string, age: number): number {
  const at = Math.floor(Date.now() / 1000) - age;
  writeFileSync(`${temp}/${path}`, "");
  utimesSync(`${temp}/${path}`, at, at);
  return at * 1000;
}

it("finds the newest file at any depth, and a folder from which something was taken out", () => {
  mkdirSync(`${temp}/src/deep/deeper`, { recursive: true });
  write("page.html", 300);
  const newest = write("src/deep/deeper/page.ts", 100);
  for (const folder of ["src/deep/deeper", "src/deep", "src"]) utimesSync(`${temp}/${folder}`, 1, 1);
  const all = [`${temp}/page.html`, `${temp}/src`];
  expect(newestOf(all)).toBe(newest);
  rmSync(`${temp}/src/deep/deeper/page.ts`);
  expect(newestOf(all)).toBeGreaterThan(newest);
});

it("takes what is not there for older than everything", () => {
  expect(newestOf([`${temp}/none`])).toBe(0);
});
