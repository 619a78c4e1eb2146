// The MCP server: three tools and two kinds of resource. Created for each request and principal, because an instance
// shared by two clients could send one client's answer to the other.
import { McpServer } from "@modelcontextprotocol/server";
import { instructionsFor } from "./instructions.ts";
import { makeMayRead } from "./may-read.ts";
import { registerResources, type ResourceParts } from "./resources.ts";
import type { Given } from "./session-subscriptions.ts";
import { makeReadReport } from "./status-report.ts";
import { registerCheckStatus } from "./tool-check-status.ts";
import { registerRequestMandate, type RequestMandateParts } from "./tool-request-mandate.ts";
import { registerRequestVerification, type RequestVerificationParts } from "./tool-request-verification.ts";

export type { SessionSubscriptions } from "./session-subscriptions.ts";

export type BuildServerParts = Omit<RequestVerificationParts, "waitSeconds"> &
  Pick<ResourceParts, "listTransactions" | "readExecutionType"> &
  Pick<RequestMandateParts, "askForMandate"> & {
    /** How long a call with a progress token waits for the verdict. */
    readonly waitSeconds?: number;
  };

export type BuildServer = (given: Given) => McpServer;

/** Well below the default timeout of clients, one minute. */
const longestWaitSeconds = 20;

const about = { name: "countersign", title: "Countersign", version: "1.0" } as const;
const ownOnly = { cacheScope: "private", ttlMs: 0 } as const;

export function makeBuildServer({
  waitSeconds = longestWaitSeconds,
  ...parts
}: BuildServerParts): BuildServer {
  const readReport = makeReadReport(parts);
  const mayRead = makeMayRead(parts);
  const instructions = instructionsFor(parts.uiUrl);
  return (given) => {
    const server = new McpServer(about, {
      instructions,
      capabilities: { tools: { listChanged: false }, resources: { subscribe: true, listChanged: false } },
      cacheHints: {
        "tools/list": ownOnly,
        "resources/list": ownOnly,
        "resources/templates/list": ownOnly,
        "resources/read": ownOnly,
        "server/discover": ownOnly,
      },
    });
    registerRequestVerification(server, { ...parts, waitSeconds }, given);
    registerCheckStatus(server, { ...parts, readReport }, given);
    registerRequestMandate(server, parts, given);
    registerResources(server, { ...parts, readReport, mayRead }, given);
    return server;
  };
}
