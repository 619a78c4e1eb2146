/** The result of one piece of work in a group. */
export type Outcome<Result> =
  | { readonly kind: "done"; readonly result: Result }
  /** It alone failed: the others of its group are done. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** It has to wait for another one of its group. */
  | { readonly kind: "again" };

type Options<Item, Result> = {
  /** All or none of it happens if it throws. */
  readonly work: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  readonly atMost: number;
  /** How many groups are under way at a time. Further items wait, and form the next group. */
  readonly groups: number;
  /** If a whole group fails, all of it has failed. Otherwise each of its items is tried alone. */
  readonly isAllOrNothing?: boolean;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Does what is asked for at the same time in one go, as a database commits several transactions with one write. An item never
 * waits for others to come: it waits only while groups are under way.
 */
export function workTogether<Item, Result>(options: Options<Item, Result>): (item: Item) => Promise<Result> {
  const { work, atMost, groups, isAllOrNothing = false } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  const settle = (group: readonly Waiting<Item, Result>[], outcomes: readonly Outcome<Result>[]): void => {
    for (const [index, one] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.kind === "done") one.resolve(outcome.result);
      else if (outcome?.kind === "failed") one.reject(outcome.error);
      else waiting.push(one);
    }
  };
  const runAlone = async (one: Waiting<Item, Result>): Promise<void> => {
    try {
      settle([one], await work([one.item]));
    } catch (error) {
      one.reject(error);
    }
  };
  const runGroup = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      settle(group, await work(group.map(({ item }) => item)));
    } catch (error) {
      if (group.length === 1 || isAllOrNothing) for (const one of group) one.reject(error);
      else for (const one of group) await runAlone(one);
    }
  };
  const start = (): void => {
    while (running < groups && waiting.length > 0) {
      const group = waiting.slice(0, atMost);
      waiting = waiting.slice(atMost);
      running++;
      void runGroup(group).then(() => {
        running--;
        start();
      });
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // After what asks in the same moment.
      setImmediate(start);
    });
}
