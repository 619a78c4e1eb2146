import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import { answerUri } from "./answer-uri.ts";
import { refuseOver, type makeFindToAnswer } from "./consent-session.ts";
import { consentErrors } from "./errors.ts";
import { hostOfRedirect } from "./redirect-uri.ts";
import { hashOfSecret, makeSecretText } from "./secret-text.ts";
import type { SessionStore } from "./store/sessions.ts";

/** The client fetches its tokens at once or not at all. */
const codeSeconds = 120;
/** A grant ends after half a year, however often it is renewed. */
const grantSeconds = 180 * 24 * 60 * 60;

type Parts = {
  readonly findToAnswer: ReturnType<typeof makeFindToAnswer>;
  readonly sessions: SessionStore;
  readonly baseUrl: string;
};
type Headers = Parameters<ReturnType<typeof makeFindToAnswer>>[1];

/** Another request was faster, or the session has just expired. */
async function refuseLate(sessions: SessionStore, sessionId: string): Promise<Error> {
  const session = await sessions.find(sessionId);
  return session === undefined ? consentErrors.unknown() : refuseOver(session);
}

/** Records the owner's approval. Returns the URL that brings the code to the client. */
export const makeApprove = ({ findToAnswer, sessions, baseUrl }: Parts) =>
  async function approve(sessionId: string, account: Account, headers: Headers): Promise<string> {
    const { redirectUri } = await findToAnswer(sessionId, headers);
    const code = makeSecretText();
    const back = await sessions.approve({
      ...{ sessionId, account, grantSeconds, codeSeconds },
      grantId: newId(),
      codeHash: hashOfSecret(code),
      redirectHost: hostOfRedirect(redirectUri),
    });
    if (back === undefined) throw await refuseLate(sessions, sessionId);
    return answerUri(back.redirectUri, baseUrl, { code, state: back.state });
  };

/** Records the owner's rejection. */
export const makeDeny = ({ findToAnswer, sessions, baseUrl }: Parts) =>
  async function deny(sessionId: string, headers: Headers): Promise<string> {
    await findToAnswer(sessionId, headers);
    const back = await sessions.deny(sessionId);
    if (back === undefined) throw await refuseLate(sessions, sessionId);
    return answerUri(back.redirectUri, baseUrl, { error: "access_denied", state: back.state });
  };
