// node tools/release/main.ts TAG: prints the folder to publish for a git tag, or why it must not be published.
import { join } from "node:path";
import { checkRelease } from "./releases.ts";

const { release, obstacles } = checkRelease(join(import.meta.dirname, "../.."), process.argv[2] ?? "");
for (const obstacle of obstacles) console.error(obstacle);
if (release === undefined || obstacles.length > 0) process.exitCode = 1;
else console.log(`${release.folder}/dist`);
