// What a command throws when it cannot go on: one plain sentence, and the next command to try.
import { exitCodes, type ExitCode } from "./exit-codes.ts";

type Options = {
  /** For programs; a word that keeps its meaning. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What to do now, best as a command. */
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

/** The command was put wrongly. */
export const usageError = (message: string, hint?: string): CliError =>
  new CliError(message, {
    code: "usage",
    exitCode: exitCodes.usage,
    ...(hint === undefined ? {} : { hint }),
  });

export const notSignedIn = (message: string, hint: string): CliError =>
  new CliError(message, { code: "not_signed_in", exitCode: exitCodes.notSignedIn, hint });

/** The reason that the signal is aborted with when somebody presses Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
