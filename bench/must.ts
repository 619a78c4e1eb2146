/** Returns the value. Throws if it is missing, which is a bug of the generator and not of the validator. */
export function must<T>(value: T | null | undefined): T {
  if (value === undefined || value === null)
    throw new Error("The benchmark relies on a value that is missing.");
  return value;
}
