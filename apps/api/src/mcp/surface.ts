import { z } from "zod";
import { requestErrors, restSurface, type Surface } from "@countersign/platform/errors";
import { mcpErrors } from "./errors.ts";

/** What JSON-RPC and its users have a number for. Everything else is a server error. */
const numbers: Readonly<Record<string, number>> = {
  [requestErrors.invalid.code]: -32_700,
  [requestErrors.internal.code]: -32_603,
  [mcpErrors.sessionUnknown.code]: -32_001,
};
const serverError = -32_000;

/** Errors as JSON-RPC has them; but a 401 is answered before MCP begins, and is the service's own. */
export const mcpSurface: Surface = {
  name: "mcp",
  invalidStatus: 400,
  schema: z
    .object({
      jsonrpc: z.literal("2.0"),
      error: z.object({ code: z.number().int(), message: z.string() }),
      id: z.null(),
    })
    .meta({ id: "McpError", description: "An error of JSON-RPC. That of a 401 is `Error`." }),
  render: (problem) =>
    problem.status === 401
      ? restSurface.render(problem)
      : {
          jsonrpc: "2.0",
          error: { code: numbers[problem.code] ?? serverError, message: problem.message },
          id: null,
        },
};
