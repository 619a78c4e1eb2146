// Errors of commands: one sentence, and the next command to try.
import { exitCodes, type ExitCode } from "./exit-codes.ts";

type Options = {
  /** A stable code for scripts. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** The next step, ideally a command. */
  readonly hint?: string;
};

export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, { code, exitCode, hint }: Options) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** Reports wrong usage. */
export const usageError = (message: string, hint?: string): CliError =>
  new CliError(message, {
    code: "usage",
    exitCode: exitCodes.usage,
    ...(hint === undefined ? {} : { hint }),
  });

export const notSignedIn = (message: string, hint: string): CliError =>
  new CliError(message, { code: "not_signed_in", exitCode: exitCodes.notSignedIn, hint });

/** The abort reason after Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
