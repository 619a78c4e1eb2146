// Looks for constructions that we do not use in comments, strings, test names and documents. `--count` prints a table of hits
// per rule and folder instead of the hits.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readProse } from "./voice/prose.ts";
import { findHits } from "./voice/rules.ts";
import { exempt } from "./voice/scope.ts";

type Found = { readonly path: string; readonly rule: string; readonly message: string };

const root = join(import.meta.dirname, "../..");
const options = new Set(process.argv.slice(2));
const skipped = Object.keys(exempt);

function lookIn(path: string): readonly Found[] {
  const source = readFileSync(join(root, path), "utf8");
  return readProse(path, source).flatMap(({ kind, start, text }) =>
    findHits(text, { sentences: kind !== "string" }).map((hit) => {
      const line = source.slice(0, start + hit.index).split("\n").length;
      const quote = hit.text.replaceAll(/\s+/g, " ").slice(0, 60);
      return {
        path,
        rule: hit.rule.name,
        message: `${path}:${line} (${kind}): "${quote}". Write instead: ${hit.rule.instead}.`,
      };
    }),
  );
}

function countBy(found: readonly Found[], key: (one: Found) => string): readonly [string, number][] {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && !skipped.some((prefix) => path.startsWith(prefix)))
  .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true);
const found = files.flatMap(lookIn);

if (options.has("--count")) {
  const folderOf = (path: string): string =>
    path.includes("/") ? path.split("/").slice(0, -1).slice(0, 2).join("/") : "(root)";
  for (const [rule, hits] of countBy(found, ({ rule }) => rule)) console.log(`${rule.padEnd(24)} ${hits}`);
  console.log();
  for (const [folder, hits] of countBy(found, ({ path }) => folderOf(path)))
    console.log(`${folder.padEnd(24)} ${hits}`);
  console.log(`\n${found.length} hits in ${files.length} files`);
} else {
  for (const { message } of found) console.error(message);
  if (found.length > 0) process.exitCode = 1;
}
