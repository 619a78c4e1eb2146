import closeWithGrace from "close-with-grace";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError, wholeNumber } from "./config/index.ts";

/** Something that runs until it is told to stop. */
export type Running = {
  /** Before it closes: callers are sent elsewhere while their requests are still answered. */
  readonly drain?: Drain;
  /** Stops taking new work, finishes what is under way, lets go of everything. */
  readonly close: () => Promise<void>;
};

type Drain = { readonly seconds: number; readonly start: () => void };

/** The setting of every service that a load balancer or another service calls. */
export const drainSettings = {
  DRAIN_SECONDS: wholeNumber()
    .max(300)
    .default(0)
    .describe(
      "How long a stopping process still answers requests, in seconds. Meanwhile /ready is 503 and every answer closes its connection. Longer than a load balancer needs to notice.",
    ),
};

/** A reason not to start that the operator can act on: printed as one sentence, without a stack. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** After this the process ends whatever is still open: what it cut off is picked up from the record. */
const patienceMs = 15_000;

const complain = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Runs an app's process: starts it and stops it on a signal or an uncaught error. */
export async function runProcess(app: string, start: () => Promise<Running>): Promise<void> {
  try {
    const running = await start();
    const drainMs = (running.drain?.seconds ?? 0) * 1000;
    closeWithGrace({ delay: drainMs + patienceMs, logger: { error: complain } }, async ({ err }) => {
      if (err !== undefined) complain(`${app} stops: ${err.stack ?? err.message}`);
      running.drain?.start();
      // A process in an unknown state answers nothing more.
      if (err === undefined) await sleep(drainMs);
      await running.close();
    });
  } catch (error) {
    complain(explainStartFailure(app, error));
    process.exitCode = 1;
  }
}

/** A sentence for what the operator can fix; a stack for everything else, which is a bug or unknown. */
export function explainStartFailure(app: string, error: unknown): string {
  if (error instanceof ConfigError) return `${app}: ${error.message}`;
  if (error instanceof CannotStart) return `${app} did not start: ${error.message}`;
  return `${app} did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
