import type { PostPush, Subscription } from "../../adapters/push/index.ts";
import type { OpenKind } from "../send.ts";
import type { Notice } from "./notice.ts";
import type { ReadNotice } from "./read-notice.ts";

type Parts = {
  /** Undefined if the operator has configured no keys. */
  readonly postPush: PostPush | undefined;
  readonly readNotice: ReadNotice;
};

const notConfigured = { status: null, error: "Push is not configured on this service", durationMs: 0 };

/** Push services accept 4 kB, encrypted. */
const bodyLength = 1000;

/** The browser shows it as text. The id is also the tag: a duplicate replaces the notification. */
function payloadOf({ id, title, lines, agentName, url }: Notice): string {
  const body = [...lines, ...(agentName === null ? [] : [`Agent: ${agentName}`])].join("\n");
  return JSON.stringify({ id, title, body: body.slice(0, bodyLength), url });
}

/** The uuid in the id of a message: a topic has at most 32 characters. */
const topicOf = ({ id }: Notice): string => id.replace("msg_", "").replaceAll("-", "");

/** Pushes messages to a browser. The channel's secret is its subscription. */
export const makeOpenPush =
  ({ postPush, readNotice }: Parts): OpenKind =>
  ({ secrets: [secret] }) =>
  async (messages) => {
    if (postPush === undefined) return notConfigured;
    if (secret === undefined) throw new Error("a push channel has no subscription");
    const notice = await readNotice(messages);
    const subscription = JSON.parse(secret.toString("utf8")) as Subscription;
    return postPush(subscription, { topic: topicOf(notice), payload: payloadOf(notice) });
  };
