// npm run dev: everything this project needs, on this machine, with one command.
import { join } from "node:path";
import { followLogs } from "./follow-logs.ts";
import { parseOptions, usage, type DevOptions } from "./options.ts";
import { makeProgress, seconds } from "./progress.ts";
import { listenForTheEnd } from "./signals.ts";
import { makeStack, type Stack } from "./stack.ts";
import { renderStack } from "./table.ts";

const say = (text: string): boolean => process.stdout.write(text);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readOptions(): DevOptions {
  try {
    const options = parseOptions(process.argv.slice(2));
    if (options !== undefined) return options;
    say(`${usage}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${usage}\n`);
    process.exit(2);
  }
}

/** The stack is already in use, so an error here is reported and does not stop it. */
async function seedStory({ urls }: Stack, ending: AbortSignal): Promise<void> {
  say(`Seeding a story for ${urls.web} … `);
  const began = performance.now();
  try {
    // Loaded late, as is everything that knows the chain.
    const { renderOwner, storyOwner, tellStory } = await import("../seed/story.ts");
    const told = await tellStory(urls);
    const outcome = told === "told" ? `done in ${seconds(performance.now() - began)}` : "it is there";
    say(`${outcome}\n\n${renderOwner(storyOwner())}\n`);
  } catch (error) {
    if (!ending.aborted) say(`not done: ${messageOf(error)}\n`);
  }
}

async function run({ logs, story, ...options }: DevOptions): Promise<void> {
  const began = performance.now();
  const { isTTY } = process.stdout;
  const isColoured = isTTY && (process.env["NO_COLOR"] ?? "") === "";
  const progress = makeProgress({ write: say, isLive: isTTY && !logs, isColoured });
  const stack = makeStack({ ...options, web: true }, progress);
  const ending = new AbortController();
  const end = (code: number): void => {
    stopFollowing();
    process.exit(code);
  };
  const stopFollowing = logs ? followLogs(join(options.dataDir, "logs"), say) : () => undefined;

  listenForTheEnd({
    stop: () => {
      ending.abort();
      say("\nStopping. Ctrl-C again ends everything at once.\n");
      stack.stop().then(
        () => {
          say("Stopped.\n");
          end(0);
        },
        (error: unknown) => {
          say(`${messageOf(error)}\n`);
          end(1);
        },
      );
    },
    kill: () => {
      stack.kill();
      say("Killed.\n");
      end(1);
    },
  });

  try {
    const green = await stack.start();
    say(
      renderStack(green, { cwd: process.cwd(), dataDir: options.dataDir, tookMs: performance.now() - began }),
    );
    if (story) void seedStory(green, ending.signal);
  } catch (error) {
    if (ending.signal.aborted) return;
    process.stderr.write(`\n${messageOf(error)}\n`);
    end(1);
  }
}

await run(readOptions());
