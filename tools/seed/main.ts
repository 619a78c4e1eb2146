// npm run seed [-- --data DIR]: seeds the stack that npm run dev has running.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findRunningStack } from "../dev/stack-file.ts";
import { seed } from "./seed.ts";
import { renderOwner, storyOwner, tellStory } from "./story.ts";

const here = fileURLToPath(new URL("../../.data", import.meta.url));

try {
  const { values } = parseArgs({ options: { data: { type: "string", default: here } } });
  const dataDir = resolve(values.data);
  const stack = findRunningStack(join(dataDir, "stack.json"));
  if (stack === undefined) throw new Error(`No stack is running on ${dataDir}. Start one with npm run dev.`);
  const { accountRegistry, serviceRegistry, inbox } = await seed({ rpcUrl: stack.urls.anvil, dataDir });
  if (stack.parts.some(({ name }) => name === "orion")) {
    const told = await tellStory(stack.urls);
    console.log(
      `The story ${told === "told" ? "is told" : "was told before"}.\n${renderOwner(storyOwner())}`,
    );
  }
  console.log(
    `Seeded. Account registry ${accountRegistry}, service registry ${serviceRegistry}, inbox ${inbox}.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
