import type { Waiting } from "../channel.ts";
import { messageIdOf } from "../message.ts";
import type { ReadFacts } from "../store/facts.ts";
import { mergeNotices, type About } from "./digest.ts";
import { noticeOf, type Notice } from "./notice.ts";

type Parts = { readonly readFacts: ReadFacts; readonly uiUrl: string };

type Messages = readonly [Waiting, ...Waiting[]];

/** Makes the notice of some messages. Of each transaction, it names the last change. */
export type ReadNotice = (messages: Messages) => Promise<Notice>;

function lastOfEach(messages: Messages): readonly Waiting[] {
  const byTransaction = new Map(
    messages.map((message) => [message.event?.requestHash ?? message.id, message]),
  );
  return [...byTransaction.values()];
}

export const makeReadNotice =
  ({ readFacts, uiUrl }: Parts): ReadNotice =>
  async (messages) => {
    const about: About[] = [];
    for (const { id, type, event } of lastOfEach(messages)) {
      const facts = event === null ? undefined : await readFacts(event);
      about.push({ type, notice: noticeOf({ id, type, event }, facts, uiUrl) });
    }
    return mergeNotices(about, { id: messageIdOf(messages[0].id), uiUrl });
  };
