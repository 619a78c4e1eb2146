// Composition of what each kind of channel needs to send a message.
import type { Clock } from "@countersign/platform/clock";
import { makePostChat } from "../adapters/chat/index.ts";
import { makeSendMail, type SendMail } from "../adapters/mail/index.ts";
import { makePostPush, type PushKeys } from "../adapters/push/index.ts";
import { makePostMessage } from "../adapters/webhooks/index.ts";
import type { Config } from "../config.ts";
import type { ChannelKind } from "../notifications/channel.ts";
import { makeReadNotice } from "../notifications/people/read-notice.ts";
import { makeOpenChat } from "../notifications/people/send-chat.ts";
import { makeOpenMail } from "../notifications/people/send-mail.ts";
import { makeOpenPush } from "../notifications/people/send-push.ts";
import { makeOpenWebhook } from "../notifications/send-webhook.ts";
import type { OpenKind } from "../notifications/send.ts";
import { makeReadFacts } from "../notifications/store/facts.ts";
import type { Db } from "../platform/db/connect.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly sendMail: SendMail | undefined;
};

/** Returns undefined unless the operator has configured a mail server. */
export const connectMail = (config: Config): SendMail | undefined => {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, WEBHOOK_TIMEOUT_MS: timeoutMs } = config;
  return smtpUrl === undefined || from === undefined ? undefined : makeSendMail({ smtpUrl, from, timeoutMs });
};

/** Returns undefined unless the operator has configured keys for push services. */
export function pushKeysOf(config: Config): PushKeys | undefined {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = config;
  return publicKey === undefined || privateKey === undefined || subject === undefined
    ? undefined
    : { publicKey, privateKey, subject };
}

/** Makes the function that sends to each kind of channel. */
export function makeKinds({ config, db, clock, sendMail }: Parts): Readonly<Record<ChannelKind, OpenKind>> {
  const { WEBHOOK_TIMEOUT_MS: timeoutMs, UI_URL: uiUrl } = config;
  const urls = { slack: config.SLACK_URL, discord: config.DISCORD_URL, telegram: config.TELEGRAM_URL };
  const postMessage = makePostMessage({ allowLoopback: config.WEBHOOK_LOOPBACK, timeoutMs });
  const readNotice = makeReadNotice({ readFacts: makeReadFacts(db), uiUrl });
  const openChat = makeOpenChat({ postChat: makePostChat({ urls, timeoutMs }), readNotice });
  const keys = pushKeysOf(config);
  return {
    webhook: makeOpenWebhook({ postMessage, uiUrl, clock }),
    slack: openChat("slack"),
    discord: openChat("discord"),
    telegram: openChat("telegram"),
    email: makeOpenMail({ sendMail, readNotice, uiUrl }),
    push: makeOpenPush({
      postPush: keys === undefined ? undefined : makePostPush(keys, postMessage),
      readNotice,
    }),
  };
}
