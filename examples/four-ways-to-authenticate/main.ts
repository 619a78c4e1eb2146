// Runs the snippets of the guide, exactly as they stand there, as one program.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const guide = join(import.meta.dirname, "../../docs/guides/four-ways-to-authenticate.md");
const snippets = [...readFileSync(guide, "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, code = ""]) => code,
);

// Beside this file, so that the guide's imports mean what a reader of this folder would take them to mean.
const program = join(import.meta.dirname, `.guide-${process.pid}.ts`);
writeFileSync(program, snippets.join("\n"));
try {
  const { status } = spawnSync(process.execPath, [program], { stdio: "inherit" });
  if (status !== 0) throw new Error("a snippet of the guide does not hold");
  console.log(`${snippets.length} snippets of the guide hold`);
} finally {
  rmSync(program);
}
