// Runs commands in-process against a fake service.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { World } from "../src/context.ts";
import type { Env } from "../src/profiles/settings.ts";
import { run as runCommand } from "../src/run.ts";

export type RunOptions = {
  readonly env?: Env;
  readonly stdin?: string;
  /** For commands that read stdin as it comes. Default: `stdin`, which then ends. */
  readonly input?: Readable;
  /** Simulates a terminal with a user. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  /** Answers to questions, in order. */
  readonly answers?: readonly (boolean | string)[];
  readonly signal?: AbortSignal;
  /** The profile directory. Default: an empty one. */
  readonly configDirectory?: string;
  readonly openBrowser?: (url: string) => Promise<void>;
  readonly fetch?: typeof globalThis.fetch;
  /** Called for each output, so that a test can act while a command runs. */
  readonly onWrite?: (text: string) => void;
};

export type Ran = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
  readonly questions: readonly string[];
};

/** A fake process: output is in `written`, prompts in `questions`. */
export function aWorld(options: RunOptions = {}) {
  const written = { stdout: "", stderr: "" };
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  const streamOf = (name: keyof typeof written) => ({
    isTTY: options.isTerminal ?? false,
    columns: options.columns,
    write: (added: string) => {
      written[name] += added;
      options.onWrite?.(added);
    },
  });
  const ask = <Value extends boolean | string>(question: string): Promise<Value> => {
    questions.push(question);
    const answer = answers.shift();
    return answer === undefined
      ? Promise.reject(new Error(`Unexpected question: ${question}`))
      : Promise.resolve(answer as Value);
  };
  const world: World = {
    env: options.env ?? {},
    stdout: streamOf("stdout"),
    stderr: streamOf("stderr"),
    stdin: options.input ?? Readable.from([options.stdin ?? ""]),
    readStdin: async () => options.stdin ?? "",
    isTerminal: options.isTerminal ?? false,
    confirm: (question) => ask<boolean>(question),
    readSecret: (question) => ask<string>(question),
    openBrowser: options.openBrowser ?? (async () => undefined),
    fetch: options.fetch ?? globalThis.fetch,
    signal: options.signal ?? new AbortController().signal,
    configDirectory: options.configDirectory ?? "/nowhere",
  };
  return { world, written, questions };
}

/** Runs a command: `run("whoami --json")`, or a list for arguments with spaces. */
export async function run(command: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
  const args = typeof command === "string" ? command.split(" ").filter((word) => word !== "") : command;
  const configDirectory = options.configDirectory ?? (await emptyDirectory());
  const { world, written, questions } = aWorld({ ...options, configDirectory });
  const code = await runCommand(args, world);
  return { ...written, code, questions };
}

export async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "countersign-cli-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export type Asked = {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
};

export type Reply = {
  readonly status?: number;
  readonly body?: unknown;
  /** Sent unchanged, instead of a body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Starts a fake service with a response per "METHOD /path"; others get 404. Stops after the test. */
export async function aService(
  routes: Readonly<Record<string, Reply | ((asked: Asked) => Reply | Promise<Reply>)>>,
): Promise<{ readonly url: string; readonly asked: readonly Asked[] }> {
  const seen: Asked[] = [];
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  // Rejects only for a mistake in the test, which surfaces as an unhandled rejection.
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const content = await text(request);
    const asked: Asked = {
      method: request.method ?? "GET",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: content === "" ? undefined : JSON.parse(content),
    };
    seen.push(asked);
    const route = routes[`${asked.method} ${pathname}`] ?? {
      status: 404,
      body: { statusCode: 404, message: "Not here", error: "Not Found" },
    };
    const {
      status = 200,
      body,
      text: unchanged,
      headers,
    } = typeof route === "function" ? await route(asked) : route;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(unchanged ?? (body === undefined ? undefined : JSON.stringify(body)));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: seen };
}
