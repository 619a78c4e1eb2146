/**
 * Questions that come up together are asked together: under load one statement answers for many requests, and none of them
 * gets an answer older than its question. Everybody gets the answers to all of them.
 */
export function gather<Id, Answers>(
  askAll: (ids: readonly Id[]) => Promise<Answers>,
): (id: Id) => Promise<Answers> {
  let waiting: { readonly ids: Set<Id>; readonly answers: Promise<Answers> } | undefined;
  return async (id) => {
    if (waiting === undefined) {
      const ids = new Set<Id>();
      const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting = undefined;
        return askAll([...ids]);
      });
      waiting = { ids, answers };
    }
    waiting.ids.add(id);
    return waiting.answers;
  };
}

/** Does this one hold? Asked anew each time, so that an end takes effect at once, everywhere. */
export type AskOne = (id: string) => Promise<boolean>;

export function askTogether(findAll: (ids: readonly string[]) => Promise<ReadonlySet<string>>): AskOne {
  const ask = gather(findAll);
  return async (id) => (await ask(id)).has(id);
}
