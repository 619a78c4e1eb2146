import type { SendMail } from "../../adapters/mail/index.ts";
import type { OpenKind } from "../send.ts";
import { letterOf } from "./mail.ts";
import type { ReadNotice } from "./read-notice.ts";

type Parts = {
  /** Undefined if the operator has configured no mail server. */
  readonly sendMail: SendMail | undefined;
  readonly readNotice: ReadNotice;
  readonly uiUrl: string;
};

const notConfigured = { status: null, error: "E-mail is not configured on this service", durationMs: 0 };

/** The right side of message ids. */
export const hostOf = (uiUrl: string): string => new URL(uiUrl).hostname;

/** Mails messages to a confirmed address. Mails about one transaction form a thread. */
export const makeOpenMail =
  ({ sendMail, readNotice, uiUrl }: Parts): OpenKind =>
  ({ target }) =>
  async (messages) => {
    if (sendMail === undefined) return notConfigured;
    const notice = await readNotice(messages);
    const host = hostOf(uiUrl);
    const hashes = [...new Set(messages.map(({ event }) => event?.requestHash))];
    const thread = hashes.length === 1 ? hashes[0] : undefined;
    return sendMail({
      ...{ to: target, messageId: `${notice.id}@${host}`, ...letterOf(notice) },
      thread: thread === undefined ? undefined : `${thread}@${host}`,
    });
  };
