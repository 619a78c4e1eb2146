import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { emptyDataDir, openDataDir } from "./data-dir.ts";

const temp = makeTempDir("data-dir");
afterAll(() => {
  rmSync(temp, { recursive: true });
});

it("makes a folder, and knows it again", () => {
  const path = `${temp}/new/deep`;
  const dir = openDataDir(path);
  mkdirSync(dir.postgres);
  expect(openDataDir(path)).toEqual(dir);
});

it("rejects a folder with other files and leaves them alone", () => {
  const path = `${temp}/photos`;
  mkdirSync(path);
  writeFileSync(`${path}/holiday.jpg`, "");
  expect(() => openDataDir(path)).toThrow(
    `${path} is not empty and was not made by npm run dev. Give --data an empty or new folder.`,
  );
  expect(readdirSync(path)).toEqual(["holiday.jpg"]);
});

it("removes what we made when it is emptied, and nothing else", () => {
  const dir = openDataDir(`${temp}/ours`);
  for (const folder of [dir.postgres, dir.restate, dir.anvil, dir.ipfs, dir.logs]) mkdirSync(folder);
  for (const file of [dir.contractsFile, dir.stackFile, `${dir.path}/notes.txt`]) writeFileSync(file, "");
  emptyDataDir(dir);
  expect(readdirSync(dir.path).sort()).toEqual([".made-by-npm-run-dev", "notes.txt"]);
  expect(existsSync(dir.path)).toBe(true);
});
