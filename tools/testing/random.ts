/** A small seeded generator of numbers from 0 to below 1, for choosing when something fails. */
export function makeRandom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
