// Receivers of webhooks, and a service whose messages are sent by the test itself instead of the engine.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { systemClock, type Clock } from "@countersign/platform/clock";
import { makeLog } from "@countersign/platform/log";
import { sql } from "kysely";
import { Webhook } from "standardwebhooks";
import { connectMail, makeKinds } from "../src/composition/senders.ts";
import { peopleKinds } from "../src/notifications/channel.ts";
import { makeDeliver } from "../src/notifications/deliver.ts";
import { channelOf } from "../src/notifications/run-key.ts";
import { makeOpenChannel } from "../src/notifications/send.ts";
import { makeChannelStore } from "../src/notifications/store/channels.ts";
import { makeQueueStore } from "../src/notifications/store/queue.ts";
import { makeSendingStore } from "../src/notifications/store/sending.ts";
import { connectDatabase, type Db } from "../src/platform/db/connect.ts";
import { makeFlowStore } from "../src/platform/flows/index.ts";
import { makeTransactionStore } from "../src/transactions/store/index.ts";
import { aTestApiWithKeys } from "./api-keys.ts";
import { watchedChains } from "./transactions.ts";

export type Received = {
  readonly path: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
  /** The status that it was answered with. */
  readonly status: number;
};

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Chooses the status of each answer. 200 until it is set. */
  answer: (path: string) => number;
  /** Called with each message when it arrives. */
  onReceive: (one: Received) => void;
  readonly close: () => Promise<void>;
};

/** A real HTTP server on this machine. */
export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, reply) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const status = receiver.answer(path);
      const id = String(request.headers["webhook-id"]);
      const one = { path, id, headers: request.headers, body, at: Date.now(), status };
      received.push(one);
      receiver.onReceive(one);
      reply.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => 200,
    onReceive: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Verifies a message with the official library. Throws if it is not signed with the secret. */
export const verified = (
  secret: string,
  { body, headers }: Received,
): { type: string; data: Record<string, unknown> } =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as never;

const uiUrl = "https://app.example";
const mailFrom = "Countersign <notify@app.example>";

export type NotifyApi = Awaited<ReturnType<typeof aNotifyApi>>;

type NotifyOptions = {
  readonly chatUrl?: string;
  readonly smtpUrl?: string;
  readonly pushKeys?: { readonly publicKey: string; readonly privateKey: string };
  /** Of the step that sends. */
  readonly clock?: Clock;
};

/** The whole service. `deliver` does what the worker and the engine do. */
export async function aNotifyApi({
  chatUrl = "http://127.0.0.1:9",
  smtpUrl,
  pushKeys,
  clock = systemClock,
}: NotifyOptions = {}) {
  const chatUrls = { slack: chatUrl, discord: `${chatUrl}/api/webhooks`, telegram: chatUrl };
  const api = await aTestApiWithKeys({
    ...{ WEBHOOK_LOOPBACK: "true", WEBHOOK_TIMEOUT_MS: "1000", UI_URL: uiUrl },
    ...{ SLACK_URL: chatUrls.slack, DISCORD_URL: chatUrls.discord, TELEGRAM_URL: chatUrls.telegram },
    ...(smtpUrl === undefined
      ? {}
      : { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom, MAIL_CODES_PER_MINUTE: "1000" }),
    ...(pushKeys === undefined
      ? {}
      : {
          ...{ VAPID_PUBLIC_KEY: pushKeys.publicKey, VAPID_PRIVATE_KEY: pushKeys.privateKey },
          VAPID_SUBJECT: "mailto:ops@app.example",
        }),
  });
  const log = makeLog({ app: "test", level: "silent" });
  const database = connectDatabase({ url: api.databaseUrl, poolSize: 8, log });
  const { db } = database;
  const flowStore = makeFlowStore(db);
  const queue = makeQueueStore(db, flowStore);
  const openChannel = makeOpenChannel({
    channels: makeChannelStore(db, ["webhook", ...peopleKinds]),
    secrets: api.secrets,
    kinds: makeKinds({ config: api.config, db, clock: systemClock, sendMail: connectMail(api.config) }),
  });
  const sending = makeSendingStore(db, { leaseSeconds: 30 });
  const outcomes: boolean[] = [];
  const deliver = makeDeliver({
    ...{ store: sending, openChannel, clock, firstPauseMs: 60_000 },
    readTrace: (key) => flowStore.readTraceparent({ flow: "verification", key }),
    observe: (_kind, isDelivered) => outcomes.push(isDelivered),
  });
  /** Events are queued when no older transaction runs, and test files share a PostgreSQL: waits for those of the others. */
  const settle = async (): Promise<void> => {
    for (;;) {
      const { rows } = await sql<{ readonly waiting: boolean }>`
        select exists (select 1 from account_events where xid >= pg_snapshot_xmin(pg_current_snapshot()))
          as waiting`.execute(db);
      if (rows[0]?.waiting !== true) return;
      await setTimeout(5);
    }
  };
  const runOnce = async (): Promise<readonly string[]> => {
    await settle();
    while ((await queue.queueNext(100)) === 100);
    const keys = await queue.acceptRuns(100);
    await Promise.all(
      keys.map(async (key) => {
        while (await deliver(channelOf(key)));
        await flowStore.finish({ flow: "Notify", key, attempt: 1 });
      }),
    );
    return keys;
  };
  return {
    ...{ api, db, queue, settle, sending, deliver, outcomes, flowStore },
    store: makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: true }),
    /** Queues new events and sends the messages that are due. Returns the keys of the runs. */
    deliverAll: runOnce,
    /** Ends all pauses after failures. */
    skipPauses: (): Promise<unknown> =>
      sql`update notification_channels set due_at = now() where due_at is not null`.execute(db),
    /** Deactivates the channels of earlier tests. */
    retireChannels: (): Promise<unknown> => sql`update notification_channels set active = false`.execute(db),
    close: async () => {
      await database.close();
      await api.close();
    },
  };
}

/** Makes the webhook fail for so long already. */
export const ageFailure = (db: Db, id: string, days: number): Promise<unknown> =>
  sql`update notification_channels set failing_since = now() - make_interval(days => ${days})
      where id = ${id}`.execute(db);
