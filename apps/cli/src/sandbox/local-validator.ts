// Finds a validator: the configured one, one that runs locally, or a new one for this command.
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { findCheckout } from "./checkout.ts";
import { startChild, type Child } from "./child.ts";

// Below the ephemeral port range.
const lowestPort = 20_000;
const portCount = 12_000;
const mostTries = 5;

const usualUrl = "http://127.0.0.1:8000";

export async function withValidator<Result>(
  context: Context,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const { output, fetch } = context;
  const { validatorUrl } = await context.settings();
  if (validatorUrl !== undefined) return work(validatorUrl);
  if (await isReady(usualUrl, fetch)) return work(usualUrl);
  const checkout = findCheckout();
  if (checkout === undefined)
    throw new CliError(
      `No validator found: none is configured, none answers at ${usualUrl}, and this is not a checkout.`,
      {
        ...{ code: "no_validator", exitCode: exitCodes.unreachable },
        hint: "--validator-url URL, or COUNTERSIGN_VALIDATOR_URL",
      },
    );
  output.notice(`Starting a local validator from ${plainLine(checkout)}…`);
  const { child, url } = await start(context, checkout);
  try {
    return await work(url);
  } finally {
    await child.stop();
  }
}

type Started = { readonly child: Child; readonly url: string };

/** Retries with another port if this one is taken. */
async function start(context: Context, checkout: string): Promise<Started> {
  for (let tries = 1; ; tries++) {
    const port = lowestPort + Math.floor(Math.random() * portCount);
    const child = startChild({
      ...{ checkout, args: ["apps/validator/src/main.ts"] },
      env: { ...context.env, HOST: "127.0.0.1", PORT: String(port), LOG_LEVEL: "warn" },
    });
    const url = `http://127.0.0.1:${port}`;
    try {
      if (await becomesReady(child, url, context)) return { child, url };
    } catch (error) {
      await child.stop();
      throw error;
    }
    const said = child.lastLines().map(plainLine).join(" ");
    if (tries < mostTries && said.includes("EADDRINUSE")) continue;
    throw new CliError(`The validator didn't start: ${said}`, {
      ...{ code: "no_validator", exitCode: exitCodes.unreachable },
      hint: "npm ci --ignore-scripts   (in the checkout)",
    });
  }
}

/** Returns false if it exits before it is ready. */
async function becomesReady(child: Child, url: string, { fetch, signal }: Context): Promise<boolean> {
  while (!child.hasEnded()) {
    if (await isReady(url, fetch)) return !child.hasEnded();
    await sleep(100, undefined, { signal });
  }
  return false;
}

/** Another service may use the port, so only a ready response counts. */
async function isReady(url: string, fetch: Context["fetch"]): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000), redirect: "error" });
    const body = (await answer.json()) as { readonly ready?: unknown } | null;
    return answer.status === 200 && body?.ready === true;
  } catch {
    return false;
  }
}
