/**
 * Values as JSON can carry them: a bigint becomes its decimal digits, a map an object, a set a list. What JSON can carry as it is
 * stays the same object: most of an answer is, and a copy of it would cost more than the rest of writing it.
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
