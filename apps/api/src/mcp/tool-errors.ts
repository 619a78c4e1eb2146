// How a refusal is told over MCP. Whatever is not from a closed list is ours to mend: it is logged, and nothing of it leaves.
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { Problem, requestErrors } from "@countersign/platform/errors";
import type { Log } from "@countersign/platform/log";
import { transactionErrors } from "../transactions/index.ts";

const complaintsAtMost = 10;

/** What fits the schema, or which argument is wrong and why. Never repeats a value. */
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
  log.error("an MCP request failed", { error });
  return error instanceof Problem ? error : requestErrors.internal({ cause: error });
}

/** For a tool: the sentence an agent can act on, and the code a program can. */
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

/** For a resource: what is not there, and what is somebody else's, are told alike. */
export function resourceError(error: unknown, uri: string, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { code, message } = problemOf(error, log);
  if (code === transactionErrors.notFound.code) return new ResourceNotFoundError(uri);
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { errorCode: code });
}
