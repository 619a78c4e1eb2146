import type { Clock } from "@countersign/platform/clock";

type Clear = { readonly atMost: number; readonly run: (atMost: number) => Promise<number> };

/** How long what is left over may lie about. Looking for it costs a look at much that is not. */
const everyMs = 10 * 60 * 1000;

/**
 * Clears away what has had its time, every few minutes and only so much at once; if there was more than that, the next round
 * goes on with it. Returns how much went.
 */
export function makeClear(clears: readonly Clear[], clock: Clock): () => Promise<number> {
  let nextAtMs = 0;
  return async () => {
    const nowMs = clock.now().getTime();
    if (nowMs < nextAtMs) return 0;
    let count = 0;
    let isMore = false;
    for (const { run, atMost } of clears) {
      const cleared = await run(atMost);
      count += cleared;
      isMore ||= cleared >= atMost;
    }
    nextAtMs = isMore ? nowMs : nowMs + everyMs;
    return count;
  };
}
