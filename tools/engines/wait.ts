import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readSocketsOf } from "./sockets.ts";
import type { Child } from "./supervisor.ts";

const pollMs = 40;

/** Two systems that start at the same time on two cores need more than 30 s, so only a hung process reaches the limit for a child. */
const limits = { child: 180, other: 30 };

type Options = {
  readonly seconds?: number;
  /** Who is to bring it about. When it has ended there is nothing left to wait for. */
  readonly child?: Child;
};

/** Asks again and again until the probe neither throws nor answers false, and returns what it answered. */
export async function waitUntil<T>(
  what: string,
  probe: () => T | Promise<T>,
  { child, seconds = child === undefined ? limits.other : limits.child }: Options = {},
): Promise<Exclude<T, false>> {
  const limit = Date.now() + seconds * 1000;
  for (;;) {
    const ended = child?.exitReason();
    if (ended !== undefined) throw new Error(`${what}: it never will, it ended (${ended}).${logOf(child)}`);
    const outcome = await attempt(probe);
    if ("answer" in outcome) return outcome.answer;
    if (Date.now() > limit)
      throw new Error(`${what}: not within ${seconds} s (${outcome.not}).${logOf(child)}`);
    await sleep(pollMs);
  }
}

/** Where its log is, and how it ends: in CI the file is gone when the message is read. */
function logOf(child: Child | undefined): string {
  if (child === undefined) return "";
  const lines = existsSync(child.logFile) ? readFileSync(child.logFile, "utf8").trimEnd().split("\n") : [];
  return ` Its log is ${child.logFile}\n${lines.slice(-15).join("\n")}`;
}

async function attempt<T>(
  probe: () => T | Promise<T>,
): Promise<{ readonly answer: Exclude<T, false> } | { readonly not: string }> {
  try {
    const answer = await probe();
    return answer === false ? { not: "not yet" } : { answer: answer as Exclude<T, false> };
  } catch (error) {
    return { not: describe(error) };
  }
}

/** A failed fetch only says so; why it failed is in its cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Waits until the child itself listens: a response of another process on that port does not count. */
export async function waitForListener(child: Child, port: number): Promise<void> {
  await waitUntil(
    `${child.name} listens on port ${port}`,
    () => readSocketsOf(child.pid).some((socket) => socket.isListening && socket.port === port),
    { child },
  );
}

/** Fetches, and throws unless the answer is a good one. For probes. */
export async function fetchOk(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) });
  if (!response.ok)
    throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return response;
}
