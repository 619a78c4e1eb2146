import type { Log } from "@countersign/platform/log";
import type { BrowserBinding, BrowserMark } from "./browser-mark.ts";
import { consentErrors } from "./errors.ts";
import type { ConsentSession, SessionStore } from "./store/sessions.ts";

type Parts = {
  readonly sessions: Pick<SessionStore, "find">;
  readonly browserMark: BrowserMark;
  readonly binding: BrowserBinding;
  readonly log: Log;
};

/** An answer in words for a session that cannot be answered any more. */
export function refuseOver({ status }: Pick<ConsentSession, "status">): Error {
  return status === "pending" ? consentErrors.over() : consentErrors.decided();
}

/**
 * The session that somebody is about to answer. A link to the consent page is easily sent to somebody else, who would then
 * let a stranger's program in: the browser that began must be the one that answers. Pages of another site cannot show its
 * mark, so whether that is insisted on is the operator's choice.
 */
export const makeFindToAnswer = ({ sessions, browserMark, binding, log }: Parts) =>
  async function findToAnswer(
    id: string,
    headers: Parameters<BrowserMark["isOf"]>[0],
  ): Promise<ConsentSession> {
    const session = await sessions.find(id);
    if (session === undefined) throw consentErrors.unknown();
    if (session.status !== "pending" || session.isExpired) throw refuseOver(session);
    if (browserMark.isOf(headers, session.browserHash)) return session;
    if (binding === "enforce") throw consentErrors.otherBrowser();
    log.warn("a request for access is answered in another browser than it began in", { key: id });
    return session;
  };
