// Runs one command and returns its exit code. All failures are reported here.
import { CommanderError } from "commander";
import { makeContext, type Context, type MutableFlags, type World } from "./context.ts";
import { Interrupted } from "./errors.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { failureOf } from "./failure.ts";
import { makeProgram } from "./program.ts";
import type { Output } from "./terminal/output.ts";
import { plainLine, plainText } from "./terminal/plain-text.ts";

export async function run(args: readonly string[], world: World): Promise<ExitCode> {
  const flags: MutableFlags = { json: false, color: true };
  const context = makeContext(world, flags);
  const program = makeProgram(context, flags);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return context.exitCode();
  } catch (error) {
    // After Ctrl-C, any failure counts as an interruption.
    return end(context, world.signal.aborted ? new Interrupted() : error);
  }
}

function end({ output, env }: Context, error: unknown): ExitCode {
  // --help or --version.
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  // A command group without a command: commander printed its help on stderr.
  if (error instanceof CommanderError && error.code === "commander.help") return exitCodes.usage;
  const { exitCode, ...failure } = failureOf(error);
  if (output.isJson()) output.answer({ error: failure }, () => "");
  else {
    output.prose(plainText(failure.message));
    if (failure.hint !== undefined) sayHint(output, plainLine(failure.hint));
    if (failure.requestId !== undefined) output.notice(`  (reference ${plainLine(failure.requestId)})`);
  }
  if (env["COUNTERSIGN_DEBUG"] === "1" && error instanceof Error)
    output.notice(plainText(error.stack ?? error.message));
  return exitCode;
}

/** Prints a command for copying, with its explanation on the next line if the line is too long. */
function sayHint(output: Output, hint: string): void {
  const line = `  → ${hint.replace(/^countersign /, `${output.program} `)}`;
  const isFitting = line.length <= output.width("stderr");
  output.notice(isFitting ? line : line.replace(/ {2,}\(/, "\n    ("));
}
