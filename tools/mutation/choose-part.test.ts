import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { areas } from "./areas.ts";
import { allParts, choosePart } from "./choose-part.ts";

const root = join(import.meta.dirname, "../..");

test("every source of every area exists", () => {
  for (const { sources } of areas)
    for (const source of sources.filter((one) => !one.includes("!")))
      expect(existsSync(join(root, source)), source).toBe(true);
});

test("the parts of a file cover all of its lines", () => {
  const [area] = areas.filter(({ name }) => name === "lifecycle");
  if (area === undefined) throw new Error("There is no area called lifecycle.");
  const last = allParts([area]).at(-1)?.mutate ?? "";
  const lines = readFileSync(join(root, area.sources[0] ?? ""), "utf8").split("\n").length;
  expect(Number(/-(\d+)$/.exec(last)?.[1])).toBeGreaterThanOrEqual(lines);
});

test("the same seed chooses the same part, and seeds reach every part", () => {
  const parts = allParts(areas);
  expect(choosePart(parts, 7)).toEqual(choosePart(parts, 7));
  expect(new Set(parts.map((_, seed) => choosePart(parts, seed).mutate)).size).toBe(parts.length);
});
