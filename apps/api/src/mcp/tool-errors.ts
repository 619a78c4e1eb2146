// Errors over MCP. An error that is not from a closed list is a bug of ours: it is logged, and the client sees none
// of it.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { Problem, requestErrors } from "@countersign/platform/errors";
import type { Log } from "@countersign/platform/log";
import { transactionErrors } from "../transactions/index.ts";

const complaintsAtMost = 10;

/** Parses the arguments, or rejects with the wrong argument and why. Never repeats a value. */
export function parseArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`,
  );
  throw requestErrors.invalid({
    message: [...new Set(complaints)].slice(0, complaintsAtMost).join("; "),
  });
}

function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof Problem && error.status < 500) return error;
  log.error("MCP request failed", { error });
  return error instanceof Problem ? error : requestErrors.internal({ cause: error });
}

/** The error of a tool: a sentence for the agent and a code for a program. */
export function toolError(error: unknown, log: Log): CallToolResult {
  const { code, message, headers } = problemOf(error, log);
  const wait = headers["Retry-After"];
  const advice = wait === undefined ? "" : ` Try again in ${wait} seconds.`;
  return {
    isError: true,
    content: [{ type: "text", text: `${message.replace(/\.$/, "")}. (${code})${advice}` }],
    _meta: { errorCode: code },
  };
}

/** The error of a resource. The same for a missing one and for another owner's. */
export function resourceError(error: unknown, uri: string, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { code, message } = problemOf(error, log);
  if (code === transactionErrors.notFound.code) return new ResourceNotFoundError(uri);
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { errorCode: code });
}
