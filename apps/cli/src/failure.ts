// Maps errors to exit codes, messages and hints.
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  CountersignError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  WaitTimeoutError,
} from "@countersign/sdk";
import { CommanderError } from "commander";
import { CliError, Interrupted } from "./errors.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";

export type Failure = {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly hint: string | undefined;
};

type Kind = {
  readonly of: abstract new (...parameters: never[]) => Error;
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly hint?: string;
};

// The first match wins: specific classes before general ones.
const kinds: readonly Kind[] = [
  {
    ...{ of: AuthenticationError, exitCode: exitCodes.notSignedIn, code: "refused_credential" },
    hint: "countersign login   (as the owner: countersign login --wallet)",
  },
  {
    ...{ of: PermissionError, exitCode: exitCodes.notSignedIn, code: "not_permitted" },
    hint: "countersign whoami   (shows what this credential can do)",
  },
  { of: NotFoundError, exitCode: exitCodes.notFound, code: "not_found" },
  { of: InvalidRequestError, exitCode: exitCodes.usage, code: "invalid_request" },
  {
    ...{ of: RateLimitError, exitCode: exitCodes.unreachable, code: "too_many_requests" },
    hint: "Wait a minute, then try again",
  },
  {
    ...{ of: ServiceError, exitCode: exitCodes.unreachable, code: "service_failing" },
    hint: "countersign doctor",
  },
  { of: ApiError, exitCode: exitCodes.unexpected, code: "refused" },
  {
    ...{ of: ConnectionError, exitCode: exitCodes.unreachable, code: "unreachable" },
    hint: "countersign doctor",
  },
  {
    ...{ of: WaitTimeoutError, exitCode: exitCodes.undecided, code: "not_decided_yet" },
    hint: "countersign watch HASH   (continues from here)",
  },
  { of: CountersignError, exitCode: exitCodes.unexpected, code: "refused" },
];

export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    const { exitCode, code, message, hint } = error;
    return { exitCode, code, message, hint };
  }
  if (error instanceof Interrupted)
    return { exitCode: exitCodes.interrupted, code: "interrupted", message: "Stopped.", hint: undefined };
  if (error instanceof CommanderError)
    return {
      ...{ exitCode: exitCodes.usage, code: "usage", message: sentenceOf(error.message) },
      hint: "countersign --help",
    };
  const kind = kinds.find(({ of }) => error instanceof of);
  if (kind === undefined || !(error instanceof Error)) return unexpected(error);
  const { exitCode, code, hint } = kind;
  return { exitCode, code, message: error.message, ...answerOf(error), hint };
}

function answerOf(error: Error): Pick<Failure, "status" | "requestId"> {
  if (!(error instanceof ApiError)) return {};
  const { status, requestId } = error;
  return { status, ...(requestId === undefined ? {} : { requestId }) };
}

const unexpected = (error: unknown): Failure => ({
  ...{ exitCode: exitCodes.unexpected, code: "unexpected" },
  message: error instanceof Error ? error.message : String(error),
  hint: "Run it with COUNTERSIGN_DEBUG=1 for details",
});

/** "error: unknown option '--x'" → "Unknown option '--x'" */
const sentenceOf = (message: string): string => {
  const text = message.replace(/^error: /, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
