type Options<Item> = {
  /** Must not reject. */
  readonly send: (items: readonly Item[]) => Promise<void>;
  /** The shortest time between two sends. */
  readonly everyMs: number;
  readonly atMost: number;
};

export type Collector<Item> = {
  readonly add: (item: Item) => void;
  /** Resolves once everything added so far was sent. */
  readonly drain: () => Promise<void>;
};

/**
 * Collects items and sends those of a moment together. The first is sent at once; what comes within `everyMs` of it, or while it
 * is being sent, follows in one.
 */
export function makeCollector<Item>({ send, everyMs, atMost }: Options<Item>): Collector<Item> {
  let waiting: Item[] = [];
  let sending: Promise<void> | undefined;

  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, everyMs));
  const sendAll = async (): Promise<void> => {
    // After what is added in the same moment.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const items = waiting.slice(0, atMost);
      waiting = waiting.slice(atMost);
      const isMore = waiting.length > 0;
      await Promise.all([send(items), ...(isMore ? [] : [pause()])]);
    }
    sending = undefined;
  };
  return {
    add: (item) => {
      waiting.push(item);
      sending ??= sendAll();
    },
    drain: async () => sending,
  };
}
