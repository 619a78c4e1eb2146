import type { Clock } from "@countersign/platform/clock";

type Clear = { readonly atMost: number; readonly run: (atMost: number) => Promise<number> };

/** How long expired rows may stay. Finding them means reading many that are not expired. */
const everyMs = 10 * 60 * 1000;

/**
 * Deletes expired rows every few minutes, a limited number at once. If there were more, the next round
 * continues. Returns how many were deleted.
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
