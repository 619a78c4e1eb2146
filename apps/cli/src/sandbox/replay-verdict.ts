// Has a verdict repeated by the validator of the checkout, in a process of its own without network.
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Context } from "../context.ts";
import { membersOf } from "../render/read-report.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { findCheckout } from "./checkout.ts";
import { startChild } from "./child.ts";

export type Replayed =
  | { readonly outcome: "identical"; readonly decision: string }
  | { readonly outcome: "differs"; readonly why: string; readonly where: readonly string[] }
  | { readonly outcome: "cannot"; readonly why: string };

/** Throws if there is no checkout, or if the validator of the checkout does not start. */
export async function replayVerdict(
  context: Pick<Context, "env" | "signal">,
  bundle: { readonly request: unknown; readonly report: unknown },
): Promise<Replayed> {
  const checkout = findCheckout();
  if (checkout === undefined)
    throw new CliError("A verdict is repeated by the validator's own code, and this is not a checkout.", {
      ...{ code: "no_validator", exitCode: exitCodes.unreachable },
      hint: "Clone the repository at the version that made the verdict, and run this there",
    });
  const lines: string[] = [];
  const child = startChild({
    ...{ checkout, args: ["apps/validator/src/replay.ts"], env: context.env },
    input: `${JSON.stringify(bundle)}\n`,
    onLine: (line) => lines.push(line),
  });
  const stop = (): void => void child.stop(); // Its end is awaited below.
  context.signal.addEventListener("abort", stop, { once: true });
  await child.ended;
  context.signal.removeEventListener("abort", stop);
  context.signal.throwIfAborted();
  const replayed = lines.map(readLine).find((line) => line !== undefined);
  if (replayed !== undefined) return replayed;
  throw new CliError(`The validator didn't start: ${lines.slice(-3).map(plainLine).join(" ")}`, {
    ...{ code: "no_validator", exitCode: exitCodes.unreachable },
    hint: "npm ci --ignore-scripts   (in the checkout)",
  });
}

function readLine(line: string): Replayed | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const read = JSON.parse(line) as unknown;
    return typeof membersOf(read)["outcome"] === "string" ? (read as Replayed) : undefined;
  } catch {
    return undefined;
  }
}
