// A wrapped MCP server as a child process, over stdio.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../profiles/settings.ts";
import type { Pipe, PipeEvents } from "./pipe.ts";
import { readMessages } from "./read-lines.ts";

type Start = {
  readonly command: readonly string[];
  readonly env: Env;
  /** For what the server prints on stderr. */
  readonly onLog: (text: string) => void;
};

/** How long a server may take to end, after its input ended and after SIGTERM. */
const patienceMs = 2_000;

export function startServer({ command, env, onLog }: Start, events: PipeEvents): Pipe {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "close").catch(() => undefined);
  let isOver = false;
  const end = (why: string): void => {
    if (!isOver) events.onEnd(why);
    isOver = true;
  };
  child.once("error", (error) => {
    end(`${program} could not be started: ${error.message}`);
  });
  child.once("close", (code, signal) => {
    end(`${program} ended with ${signal ?? `code ${code ?? "unknown"}`}`);
  });
  child.stderr.setEncoding("utf8").on("data", onLog);
  // A server that has ended cannot be written to. Its end is reported above.
  child.stdin.on("error", () => undefined);
  const reading = readMessages(child.stdout, events.onMessage, (line) => {
    onLog(`not a message: ${line}\n`);
  });
  reading.catch((error: unknown) => {
    end(`the server's output could not be read: ${String(error)}`);
  });
  return {
    send: async (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      isOver = true;
      child.stdin.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const isDone = await Promise.race([ended.then(() => true), sleep(patienceMs, false)]);
        if (isDone) return;
        child.kill(signal);
      }
      await ended;
    },
  };
}
