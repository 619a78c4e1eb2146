import { defineErrors } from "@countersign/platform/errors";

export const mcpErrors = defineErrors("mcp", {
  sessionMissing: { status: 400, message: "The Mcp-Session-Id header is missing; send initialize first" },
  originRefused: { status: 403, message: "Pages of this origin may not call here" },
  hostRefused: { status: 403, message: "This is not the host that was asked for" },
  serverKey: { status: 403, message: "A server key belongs to no account and has nothing to do here" },
  // The same for one that never was, one that is over and one of somebody else.
  sessionUnknown: { status: 404, message: "No such session; send initialize again" },
  notAcceptable: { status: 406, message: "Accept must list text/event-stream" },
});
