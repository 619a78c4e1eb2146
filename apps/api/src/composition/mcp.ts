// Composition of the MCP endpoint that agents use.
import type { Clock } from "@countersign/platform/clock";
import type { Limiter, Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeAccountStore } from "../accounts/index.ts";
import type { TransactionsApi } from "./transactions.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { makeAskForMandate, makeMandateRequestStore } from "../mandates/index.ts";
import { makeBuildServer, type BuildServer } from "../mcp/build-server.ts";
import { makeBus } from "../mcp/bus.ts";
import { makeMayRead } from "../mcp/may-read.ts";
import { mcpRoutes } from "../mcp/routes.ts";
import { makeServe } from "../mcp/serve.ts";
import { makeSessions } from "../mcp/sessions.ts";
import { makeMcpStore } from "../mcp/store.ts";
import { makeOpenSessionStream } from "../mcp/stream.ts";
import { makeStreams } from "../mcp/streams.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeReadSettings } from "../settings/settings.ts";
import { makeSettingsStore } from "../settings/store.ts";
import { makeListTransactions, makeReadTransaction } from "../transactions/record/read-transactions.ts";
import { makeCountProposal } from "../transactions/propose/routes.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter: Limiter;
  readonly transactions: TransactionsApi;
};

type Mcp = {
  readonly routes: readonly Route[];
  /** Deletes some abandoned sessions. Returns how many. */
  readonly sweep: () => Promise<number>;
  readonly close: () => Promise<void>;
};

const sweptAtMost = 100;
/** Each costs some memory. The limit is far below what a process can handle. */
const listenersAtMost = 10_000;

function makeOffer({ config, db, clock, log, limiter, transactions }: Parts): BuildServer {
  const { store, proposeTransaction, proposalLimits, status } = transactions;
  const accounts = makeAccountStore(db);
  const readSettings = makeReadSettings({ store: makeSettingsStore(db) });
  return makeBuildServer({
    ...{ proposeTransaction, status, clock, log },
    readTransaction: makeReadTransaction({ store, accounts }),
    listTransactions: makeListTransactions({ store, accounts }),
    countProposal: makeCountProposal({ limiter, limits: proposalLimits }),
    readExecutionType: async (account) => (await readSettings(account)).executionType,
    askForMandate: makeAskForMandate({ requests: makeMandateRequestStore(db) }),
    uiUrl: config.UI_URL,
  });
}

export function makeMcp(parts: Parts): Mcp {
  const { config, db, log } = parts;
  const { status, tail, follow, keepAlive } = parts.transactions;
  const baseUrl = baseUrlOf(config);
  const store = makeMcpStore(db);
  const streams = makeStreams({ store, log, everyMs: config.MCP_CHECK_EVERY_MS });
  const sessions = makeSessions({ store, streams });
  const serve = makeServe({
    ...{ baseUrl, sessions, streams, keepAlive, tail, listenersAtMost },
    buildServer: makeOffer(parts),
    mayRead: makeMayRead({ status }),
    bus: makeBus({ tail, log }),
  });
  return {
    routes: mcpRoutes({
      ...{ baseUrl, serve, sessions },
      openStream: makeOpenSessionStream({ sessions, store, follow, streams }),
      origins: [new URL(config.UI_URL).origin, new URL(baseUrl).origin, ...config.MCP_ORIGINS],
      perMinute: config.MCP_REQUESTS_PER_MINUTE_PER_IP,
    }),
    sweep: () => store.clearSessions(sweptAtMost),
    close: async () => {
      await streams.close();
      await serve.close();
    },
  };
}
