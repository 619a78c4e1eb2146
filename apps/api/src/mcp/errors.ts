import { defineErrors } from "@countersign/platform/errors";

export const mcpErrors = defineErrors("mcp", {
  sessionMissing: { status: 400, message: "The Mcp-Session-Id header is missing. Send initialize first." },
  originRefused: { status: 403, message: "Pages of this origin may not call this endpoint" },
  hostRefused: { status: 403, message: "The Host header does not name this service" },
  serverKey: { status: 403, message: "A server key has no account and cannot use MCP" },
  // The same for a session that never existed, has ended or belongs to another program.
  sessionUnknown: { status: 404, message: "Session not found. Send initialize again." },
  notAcceptable: { status: 406, message: "Accept must list text/event-stream" },
});
