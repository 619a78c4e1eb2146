import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Runs the `ts` snippets of a guide, exactly as they stand there, as one program. */
export function runGuide(name: string, folder: string): void {
  const guide = join(import.meta.dirname, `../docs/guides/${name}.md`);
  const snippets = [...readFileSync(guide, "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code = ""]) => code,
  );
  // In the story's folder, so that the guide's imports mean what a reader of that folder would take them to mean.
  const program = join(folder, `.guide-${process.pid}.ts`);
  writeFileSync(program, snippets.join("\n"));
  try {
    const { status } = spawnSync(process.execPath, [program], { stdio: "inherit" });
    if (status !== 0) throw new Error("a snippet of the guide does not hold");
    console.log(`${snippets.length} snippets of the guide hold`);
  } finally {
    rmSync(program);
  }
}
