import type { PostChat } from "../../adapters/chat/index.ts";
import type { OpenKind } from "../send.ts";
import { discordBody, slackBody, telegramBody } from "./chat.ts";
import type { Notice } from "./notice.ts";
import type { ReadNotice } from "./read-notice.ts";

type Parts = { readonly postChat: PostChat; readonly readNotice: ReadNotice };

/** The body of a message, for a target as stored. */
const bodies = {
  slack: (notice: Notice) => slackBody(notice),
  discord: (notice: Notice) => discordBody(notice),
  telegram: telegramBody,
} as const;

/** Posts messages to a chat. The channel's secret is the path at the service. */
export const makeOpenChat =
  ({ postChat, readNotice }: Parts) =>
  (kind: keyof typeof bodies): OpenKind =>
  ({ target, secrets: [path] }) =>
  async (messages) => {
    if (path === undefined) throw new Error("a chat channel has no address");
    const notice = await readNotice(messages);
    return postChat(kind, path.toString("utf8"), { id: notice.id, body: bodies[kind](notice, target) });
  };
