// Composition of notifications: the channels through which owners learn of changes.
import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import type { Metrics, Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { Running } from "@countersign/platform/process";
import type { SendMail } from "../adapters/mail/index.ts";
import { isPostable } from "../adapters/webhooks/index.ts";
import type { Config } from "../config.ts";
import { channelTestType, testType } from "../notifications/catalogue.ts";
import { makeChangeChannel } from "../notifications/change.ts";
import { peopleKinds, type ChannelKind } from "../notifications/channel.ts";
import type { IsUrlAllowed } from "../notifications/check-url.ts";
import { makeCreateWebhook } from "../notifications/create.ts";
import { makeDeliver } from "../notifications/deliver.ts";
import { channelErrors, webhookErrors } from "../notifications/errors.ts";
import { makeNotifyFlow } from "../notifications/flow.ts";
import { startNotifying } from "../notifications/keep-up.ts";
import { makeConfirm, makeSendCode, requireConfirmed } from "../notifications/people/confirm.ts";
import { makeCreateChannel } from "../notifications/people/create.ts";
import { channelRoutes } from "../notifications/people/routes.ts";
import { hostOf } from "../notifications/people/send-mail.ts";
import { makeRedeliver } from "../notifications/redeliver.ts";
import { makeRemoveChannel } from "../notifications/remove.ts";
import { makeRotateSecret } from "../notifications/rotate-secret.ts";
import { webhookRoutes } from "../notifications/routes.ts";
import { makeSendTest } from "../notifications/send-test.ts";
import { makeOpenChannel, type OpenChannel } from "../notifications/send.ts";
import { makeChannelStore } from "../notifications/store/channels.ts";
import { makeConfirmationStore } from "../notifications/store/confirmation.ts";
import { makeDeliveryStore, type DeliveryStore } from "../notifications/store/deliveries.ts";
import { makeQueueStore } from "../notifications/store/queue.ts";
import { makeSendingStore } from "../notifications/store/sending.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Flows, FlowStore } from "../platform/flows/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { makeReadTrace } from "../transactions/read-trace.ts";
import { connectMail, makeKinds, pushKeysOf } from "./senders.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly flowStore: FlowStore;
  readonly flows: Flows;
  readonly secrets: SecretStore;
};

type Notifications = {
  readonly routes: readonly Route[];
  readonly durableFlows: readonly Flow[];
  /** Starts a worker's background tasks other than flows. */
  readonly startWork: () => Running;
};

type Observe = (kind: ChannelKind, isDelivered: boolean) => void;

/** Registers the metrics of webhooks, or those of other channels. Returns the function that counts attempts. */
function measureGroup(
  of: "webhooks" | "channels",
  deliveries: DeliveryStore,
  metrics: Metrics,
): (isDelivered: boolean) => void {
  const attempts = { delivered: 0, failed: 0 };
  const backlog = () => deliveries.readBacklog(of);
  metrics.gauge(`${of}_pending`, `Messages that wait to be delivered to ${of}.`, async () => {
    return (await backlog()).pending;
  });
  metrics.gauge(`${of}_oldest_pending_seconds`, "Age of the oldest of them.", async () => {
    return (await backlog()).oldestSeconds;
  });
  metrics.gauge(`${of}_failing`, `Those of the ${of} whose last attempt failed.`, async () => {
    return (await backlog()).failing;
  });
  metrics.counter(`${of}_delivered_total`, "Messages that receivers accepted.", () => attempts.delivered);
  metrics.counter(`${of}_failed_total`, "Failed attempts to deliver a message.", () => attempts.failed);
  return (isDelivered) => {
    attempts[isDelivered ? "delivered" : "failed"] += 1;
  };
}

function measure(deliveries: DeliveryStore, metrics: Metrics): Observe {
  const webhooks = measureGroup("webhooks", deliveries, metrics);
  const channels = measureGroup("channels", deliveries, metrics);
  return (kind, isDelivered) => {
    (kind === "webhook" ? webhooks : channels)(isDelivered);
  };
}

/** A step that died may still be sending for so long. */
const leaseSecondsOf = ({ WEBHOOK_TIMEOUT_MS: timeoutMs }: Config): number => timeoutMs / 1000 + 5;

type Shared = Pick<Parts, "config" | "db" | "clock" | "secrets"> & {
  readonly deliveries: DeliveryStore;
  readonly openChannel: OpenChannel;
  readonly sendMail: SendMail | undefined;
};

const isUrlAllowedBy =
  ({ WEBHOOK_LOOPBACK: allowLoopback }: Config): IsUrlAllowed =>
  (url) =>
    isPostable(url, { allowLoopback });

function makeWebhookRoutes({ config, db, ...shared }: Shared): readonly Route[] {
  const { WEBHOOK_TESTS_PER_MINUTE: testsPerMinute } = config;
  const managing = {
    ...{ ...shared, channels: makeChannelStore(db, ["webhook"]), errors: webhookErrors },
    testType,
    isUrlAllowed: isUrlAllowedBy(config),
  } as const;
  return webhookRoutes({
    ...{ channels: managing.channels, deliveries: shared.deliveries, testsPerMinute },
    createWebhook: makeCreateWebhook(managing),
    changeWebhook: makeChangeChannel(managing),
    removeWebhook: makeRemoveChannel(managing),
    rotateSecret: makeRotateSecret(managing),
    sendTest: makeSendTest(managing),
    redeliver: makeRedeliver(managing),
  });
}

function makeChannelRoutes({ config, db, ...shared }: Shared): readonly Route[] {
  const configured = {
    hasMail: shared.sendMail !== undefined,
    pushKey: pushKeysOf(config)?.publicKey ?? null,
  };
  const managing = {
    ...{ ...shared, channels: makeChannelStore(db, peopleKinds), errors: channelErrors, configured },
    ...{ requireReady: requireConfirmed, isUrlAllowed: isUrlAllowedBy(config) },
    ...{ confirmation: makeConfirmationStore(db), mailHost: hostOf(config.UI_URL) },
    testType: channelTestType,
  } as const;
  return channelRoutes({
    ...{ channels: managing.channels, deliveries: shared.deliveries },
    ...{ testsPerMinute: config.WEBHOOK_TESTS_PER_MINUTE, codesPerMinute: config.MAIL_CODES_PER_MINUTE },
    configured,
    sendCode: makeSendCode(managing),
    confirm: makeConfirm(managing),
    createChannel: makeCreateChannel(managing),
    changeChannel: makeChangeChannel(managing),
    removeChannel: makeRemoveChannel(managing),
    sendTest: makeSendTest(managing),
    redeliver: makeRedeliver(managing),
  });
}

export function makeNotifications(parts: Parts): Notifications {
  const { config, db, clock, log, metrics, flowStore, flows, secrets } = parts;
  const deliveries = makeDeliveryStore(db);
  const sendMail = connectMail(config);
  const all = makeChannelStore(db, ["webhook", ...peopleKinds]);
  const openChannel = makeOpenChannel({ channels: all, secrets, kinds: makeKinds({ ...parts, sendMail }) });
  const deliver = makeDeliver({
    store: makeSendingStore(db, { leaseSeconds: leaseSecondsOf(config) }),
    ...{ openChannel, clock, firstPauseMs: config.NOTIFY_RETRY_MS },
    readTrace: makeReadTrace(flowStore),
    observe: measure(deliveries, metrics),
  });
  const shared = { config, db, clock, secrets, deliveries, openChannel, sendMail };
  return {
    routes: [...makeWebhookRoutes(shared), ...makeChannelRoutes(shared)],
    durableFlows: [makeNotifyFlow({ flowStore, clock, deliver })],
    startWork: () => {
      const store = makeQueueStore(db, flowStore);
      const { stop } = startNotifying({ store, flows, log, everyMs: config.NOTIFY_EVERY_MS });
      return { close: stop };
    },
  };
}
