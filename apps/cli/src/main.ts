import { confirm, password } from "@clack/prompts";
import envPaths from "env-paths";
import { text } from "node:stream/consumers";
import type { World } from "./context.ts";
import { Interrupted } from "./errors.ts";
import { exitCodes } from "./exit-codes.ts";
import { version } from "./program.ts";
import { run } from "./run.ts";
import { plainLine } from "./terminal/plain-text.ts";

const { env, stdin, stdout, stderr } = process;

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    // A second Ctrl-C exits immediately.
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort(new Interrupted());
  });

// The reader may close the pipe early, as `head` does.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitCodes.done);
  throw error;
});

// Prompts go to stderr, so that they do not end up in a file.
const asking = { input: stdin, output: stderr, signal: interruption.signal };

function answered<Value>(value: Value | symbol): Value {
  if (typeof value !== "symbol") return value;
  // At a prompt, Ctrl-C arrives as the prompt's answer, not as a signal.
  interruption.abort(new Interrupted());
  throw new Interrupted();
}

const world: World = {
  ...{ env, stdin, stdout, stderr, signal: interruption.signal },
  readStdin: () => text(stdin),
  isTerminal: stdin.isTTY && stderr.isTTY,
  confirm: async (question) =>
    answered<boolean>(await confirm({ ...asking, message: plainLine(question), initialValue: false })),
  readSecret: async (question) =>
    answered<string>(await password({ ...asking, message: plainLine(question), mask: "" })),
  openBrowser: async (url) => {
    const { default: open } = await import("open");
    await open(url);
  },
  fetch: (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set("user-agent", `countersign-cli/${version} (${process.platform})`);
    return fetch(address, { ...init, headers });
  },
  configDirectory: envPaths("countersign", { suffix: "" }).config,
};

process.exitCode = await run(process.argv.slice(2), world);
