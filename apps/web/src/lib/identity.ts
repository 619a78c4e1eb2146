const numbers = new WeakMap<object, number>();
let last = 0;

/** Returns a stable number per object, for cache keys. */
export function identityOf(object: object | undefined): number | undefined {
  if (object === undefined) return undefined;
  const known = numbers.get(object);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(object, last);
  return last;
}
