/** Blocks that nodes of one chain may be apart and still count as current: one has not received the newest yet. */
const maxLag = 3n;

/**
 * Returns the newest heads that are at most 3 blocks apart, newest first, or undefined if no `size` nodes are that close.
 * With a size of 2 or more, one node that shows an old or an invented height is left out.
 */
export function newestGroup<Head extends { readonly number: bigint }>(
  heads: readonly Head[],
  size: number,
): readonly Head[] | undefined {
  const newestFirst = heads.toSorted((one, other) => Number(other.number - one.number));
  for (const newest of newestFirst) {
    const group = newestFirst.filter(
      ({ number }) => number <= newest.number && newest.number - number <= maxLag,
    );
    if (group.length >= size) return group;
  }
  return undefined;
}
