/**
 * Converts values to JSON: a bigint to decimal digits, a map to an object, a set to a list. Values that JSON can
 * represent are not copied, because copying them would cost more than everything else.
 */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return plainList(value);
  if (value instanceof Map) return plain(Object.fromEntries(value as ReadonlyMap<string, unknown>));
  if (value instanceof Set) return plainList([...(value as ReadonlySet<unknown>)]);
  return plainObject(value as Readonly<Record<string, unknown>>);
}

function plainList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const made = plain(item);
    if (made === item) continue;
    copy ??= [...list];
    copy[index] = made;
  }
  return copy ?? list;
}

function plainObject(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | null = null;
  for (const key of Object.keys(object)) {
    const member = object[key];
    const made = plain(member);
    if (made === member) continue;
    copy ??= { ...object };
    copy[key] = made;
  }
  return copy ?? object;
}
