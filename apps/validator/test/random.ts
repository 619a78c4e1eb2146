/** A small seeded generator: the same seed produces the same sequence. */
export type Random = {
  /** 0 ≤ n < below. */
  readonly int: (below: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  /** That many random bytes, as hex digits without a prefix. */
  readonly hex: (bytes: number) => string;
  readonly address: () => string;
  readonly list: <T>(most: number, make: () => T) => readonly T[];
};

export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const int = (below: number): number => next() % below;
  const hex = (bytes: number): string =>
    Array.from({ length: bytes }, () => int(256).toString(16).padStart(2, "0")).join("");
  return {
    int,
    chance: (share) => next() < share * 2 ** 32,
    pick: (list) => {
      if (list.length === 0) throw new Error("the list is empty");
      return list[int(list.length)] as (typeof list)[number];
    },
    hex,
    address: () => `0x${hex(20)}`,
    list: (most, make) => Array.from({ length: int(most + 1) }, make),
  };
}
