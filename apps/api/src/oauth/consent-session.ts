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

/** Returns the error for a session that can no longer be answered. */
export function refuseOver({ status }: Pick<ConsentSession, "status">): Error {
  return status === "pending" ? consentErrors.over() : consentErrors.decided();
}

/**
 * Finds the session that an owner is about to answer. A link to the consent page is easily sent to another
 * owner, who would then give an attacker's program access, so the browser that started must also answer.
 * Pages of another site cannot send its cookie, so the operator decides whether that is enforced.
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
    log.warn("access request answered in another browser than it was started in", { key: id });
    return session;
  };
