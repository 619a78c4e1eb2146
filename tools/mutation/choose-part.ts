// A seeded part of all mutations: some lines of one file, so that every change tests another part.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "./areas.ts";

const root = join(import.meta.dirname, "../..");
const linesAtOnce = 90;

export type Part = { readonly area: Area; readonly mutate: string };

/** Every stretch of lines of every file in the given areas. */
export function allParts(areas: readonly Area[]): readonly Part[] {
  return areas.flatMap((area) =>
    area.sources.flatMap((source) =>
      globSync(source, { cwd: root })
        .toSorted()
        .flatMap((file) => {
          const lines = readFileSync(join(root, file), "utf8").split("\n").length;
          const starts = Array.from(
            { length: Math.ceil(lines / linesAtOnce) },
            (_, n) => n * linesAtOnce + 1,
          );
          return starts.map((start) => ({ area, mutate: `${file}:${start}-${start + linesAtOnce - 1}` }));
        }),
    ),
  );
}

export function choosePart(parts: readonly Part[], seed: number): Part {
  const part = parts[seed % parts.length];
  if (part === undefined) throw new Error("There is nothing to mutate.");
  return part;
}
