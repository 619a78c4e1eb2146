import { z } from "zod";
import { requestErrors, restSurface, type Surface } from "@countersign/platform/errors";
import { mcpErrors } from "./errors.ts";

/** The standard JSON-RPC error codes. Everything else is a server error. */
const numbers: Readonly<Record<string, number>> = {
  [requestErrors.invalid.code]: -32_700,
  [requestErrors.internal.code]: -32_603,
  [mcpErrors.sessionUnknown.code]: -32_001,
};
const serverError = -32_000;

/** Errors in JSON-RPC form. A 401 is answered before MCP begins, in the service's own form. */
export const mcpSurface: Surface = {
  name: "mcp",
  invalidStatus: 400,
  schema: z
    .object({
      jsonrpc: z.literal("2.0"),
      error: z.object({ code: z.number().int(), message: z.string() }),
      id: z.null(),
    })
    .meta({ id: "McpError", description: "A JSON-RPC error. A 401 is an `Error`." }),
  render: (problem) =>
    problem.status === 401
      ? restSurface.render(problem)
      : {
          jsonrpc: "2.0",
          error: { code: numbers[problem.code] ?? serverError, message: problem.message },
          id: null,
        },
};
