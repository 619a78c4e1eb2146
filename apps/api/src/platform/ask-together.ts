/**
 * Batches concurrent queries: under load one statement answers many requests, and none of them gets an answer
 * older than its query. Every caller gets the answers to the whole batch.
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

/** Whether this id is still valid. Queried each time, so that a revocation takes effect at once in every process. */
export type AskOne = (id: string) => Promise<boolean>;

export function askTogether(findAll: (ids: readonly string[]) => Promise<ReadonlySet<string>>): AskOne {
  const ask = gather(findAll);
  return async (id) => (await ask(id)).has(id);
}
