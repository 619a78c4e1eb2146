const numbers = new WeakMap<object, number>();
let last = 0;

/** A number of an object's own, for the key of what is computed from it: for the same object the same, for any other another. */
export function identityOf(object: object | undefined): number | undefined {
  if (object === undefined) return undefined;
  const known = numbers.get(object);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(object, last);
  return last;
}
