export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Serializes a value deterministically: members sorted by name, no whitespace. */
export function canonical(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

/** Changes every string in a value. Member names stay the same. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((member) => mapTexts(member, change));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, change)]));
}

const isList = (value: readonly Json[] | Readonly<Record<string, Json>>): value is readonly Json[] =>
  Array.isArray(value);
