/** Values as JSON can carry them: a bigint becomes its decimal digits, a map an object, a set a list. */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Map) return plain(Object.fromEntries(value as ReadonlyMap<string, unknown>));
  if (value instanceof Set) return plain([...(value as ReadonlySet<unknown>)]);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  return value;
}
