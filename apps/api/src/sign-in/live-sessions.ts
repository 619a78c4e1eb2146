import type { SignInStore } from "./store.ts";

/** Is this session still on? Asked of the record for every request, so that a logout takes effect at once, everywhere. */
export type LiveSessions = (sessionId: string) => Promise<boolean>;

/**
 * Questions that come up together are asked together: under load one statement answers for many requests, and none of them
 * gets an answer older than its question.
 */
export function makeLiveSessions(store: Pick<SignInStore, "findLive">): LiveSessions {
  let waiting: { readonly ids: Set<string>; readonly answer: Promise<ReadonlySet<string>> } | undefined;
  return async (sessionId) => {
    if (waiting === undefined) {
      const ids = new Set<string>();
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting = undefined;
        return store.findLive([...ids]);
      });
      waiting = { ids, answer };
    }
    waiting.ids.add(sessionId);
    return (await waiting.answer).has(sessionId);
  };
}
