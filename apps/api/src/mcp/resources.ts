import { ProtocolError, ProtocolErrorCode, requireScopes } from "@modelcontextprotocol/server";
import { ResourceNotFoundError, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import type { Log } from "@countersign/platform/log";
import type { Hex } from "@countersign/wire";
import { shown, type Account } from "../accounts/index.ts";
import { statusOf, type ExecutionType, type ListTransactions } from "../transactions/index.ts";
import { readsOwn, type MayRead } from "./may-read.ts";
import { accountUri, requestHashIn, transactionTemplate, uriOf } from "./resource-uri.ts";
import type { Given } from "./session-subscriptions.ts";
import type { ReadReport } from "./status-report.ts";
import { resourceError } from "./tool-errors.ts";
import { nameOf } from "./tool-result.ts";

export type ResourceParts = {
  readonly readReport: ReadReport;
  readonly mayRead: MayRead;
  readonly listTransactions: ListTransactions;
  readonly readExecutionType: (account: Account) => Promise<ExecutionType>;
  readonly log: Log;
};

const listedAtMost = 50;
const mimeType = "application/json";
const cacheHint = { cacheScope: "private", ttlMs: 0 } as const;

const executionTypes = ["DIRECT_USER", "USER_EXECUTED", "AGENT_EXECUTED"] as const;

const contentsOf = (uri: string, json: object) => ({
  contents: [{ uri, mimeType, text: JSON.stringify(json) }],
});

function hashIn(uri: string): Hex {
  const requestHash = requestHashIn(uri);
  if (requestHash === undefined) throw new ResourceNotFoundError(uri);
  return requestHash;
}

/** Runs it, and converts errors to those that a client may see. */
async function guarded<T>(uri: string, log: Log, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw resourceError(error, uri, log);
  }
}

/** Lists the owner's newest transactions, by hash and status alone. */
async function list({ listTransactions }: Pick<ResourceParts, "listTransactions">, { principal }: Given) {
  if (!readsOwn(principal)) return { resources: [] };
  const { account, caller } = principal;
  const { found } = await listTransactions({ account, caller, limit: listedAtMost, cursor: undefined });
  const resources = found.map(({ transaction }) => ({
    uri: uriOf(transaction.requestHash),
    name: nameOf(transaction.requestHash),
    description: `${statusOf(transaction)}, proposed ${transaction.createdAt.toISOString()}`,
    annotations: { lastModified: transaction.updatedAt.toISOString() },
  }));
  return { resources };
}

function registerTransactions(server: McpServer, parts: ResourceParts, given: Given): void {
  const { readReport, log } = parts;
  server.registerResource(
    "transaction",
    new ResourceTemplate(transactionTemplate, {
      list: () => guarded(transactionTemplate, log, () => list(parts, given)),
    }),
    {
      title: "A transaction's verification status",
      description:
        "The same answer as checkVerificationStatus. Subscribe to it to be notified of each change.",
      ...{ mimeType, cacheHint },
      scopeChallenge: requireScopes("transactions:read:own"),
    },
    ({ href }) =>
      guarded(href, log, async () => contentsOf(href, await readReport(hashIn(href), given.principal))),
  );
}

function registerAccount(server: McpServer, parts: ResourceParts, { principal }: Given): void {
  const { readExecutionType, log } = parts;
  const { account, caller } = principal;
  server.registerResource(
    "account",
    accountUri,
    {
      title: "The account you act for",
      description: "Its address (the escrowAddress of proposals), who executes, and your permissions.",
      ...{ mimeType, cacheHint },
    },
    ({ href }) =>
      guarded(href, log, async () => {
        const executionType = await readExecutionType(account);
        return contentsOf(href, {
          ethereumAddress: shown(account),
          executionType,
          execution: executionTypes[executionType],
          scopes: caller.scopes,
        });
      }),
  );
}

function answerSubscriptions(server: McpServer, { mayRead, log }: ResourceParts, given: Given): void {
  const { principal, session } = given;
  const change =
    (method: "subscribe" | "unsubscribe") => (request: { readonly params: { readonly uri: string } }) =>
      guarded(request.params.uri, log, async () => {
        const { uri } = request.params;
        if (uri === accountUri)
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            "This resource has no change notifications",
          );
        const requestHash = hashIn(uri);
        if (!(await mayRead(principal, requestHash))) throw new ResourceNotFoundError(uri);
        await session?.[method](requestHash);
        return {};
      });
  server.server.setRequestHandler("resources/subscribe", change("subscribe"));
  server.server.setRequestHandler("resources/unsubscribe", change("unsubscribe"));
}

export function registerResources(server: McpServer, parts: ResourceParts, given: Given): void {
  registerTransactions(server, parts, given);
  registerAccount(server, parts, given);
  answerSubscriptions(server, parts, given);
}
