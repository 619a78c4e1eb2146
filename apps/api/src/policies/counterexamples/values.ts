// Values of Cedar's expression language, and its extension types as whole numbers.

export type Entity = { readonly kind: "entity"; readonly type: string; readonly id: string };
/** decimal: ten-thousandths. datetime: milliseconds since 1970. duration: milliseconds. */
export type Extension = { readonly kind: "decimal" | "datetime" | "duration"; readonly n: bigint };
export type SetValue = { readonly kind: "set"; readonly items: readonly Value[] };
/** A member may be unknown while a search has not chosen a value for it yet. */
export type RecordValue = {
  readonly kind: "record";
  readonly fields: Readonly<Record<string, Value | Unknown>>;
};
export type Value = boolean | bigint | string | Entity | Extension | SetValue | RecordValue;

/** Null is no value of Cedar. */
export const unknown = null;
export type Unknown = typeof unknown;

/** An expression that Cedar would fail on, such as a sum over 2^63. */
export class EvaluationFailed extends Error {
  override readonly name = "EvaluationFailed";
}

/** A part of the language that the search does not evaluate. The message names it. */
export class NotSupported extends Error {
  override readonly name = "NotSupported";
}

export const entity = (type: string, id: string): Entity => ({ kind: "entity", type, id });
export const record = (fields: RecordValue["fields"]): RecordValue => ({ kind: "record", fields });

const largest = 2n ** 63n - 1n;

/** Throws if the number does not fit in 64 bits. */
export function long(n: bigint): bigint {
  if (n > largest || n < -largest - 1n) throw new EvaluationFailed("the number does not fit in 64 bits");
  return n;
}

/** Returns unknown if a member decides that is not known yet. */
export function isEqual(one: Value | Unknown, other: Value | Unknown): boolean | Unknown {
  if (one === unknown || other === unknown) return unknown;
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  if (one.kind === "entity") return other.kind === "entity" && isSameEntity(one, other);
  if (one.kind === "set") return other.kind === "set" && isSameSet(one, other);
  if (one.kind === "record") return other.kind === "record" ? isSameRecord(one, other) : false;
  return other.kind === one.kind && one.n === other.n;
}

const isSameEntity = (one: Entity, other: Entity): boolean => one.type === other.type && one.id === other.id;

/** Elements of sets are always known. */
export const hasItem = ({ items }: SetValue, value: Value): boolean =>
  items.some((item) => isEqual(item, value) === true);

const isSameSet = (one: SetValue, other: SetValue): boolean =>
  one.items.every((item) => hasItem(other, item)) && other.items.every((item) => hasItem(one, item));

function isSameRecord({ fields: one }: RecordValue, { fields: other }: RecordValue): boolean | Unknown {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length || !names.every((name) => Object.hasOwn(other, name)))
    return Object.values({ ...one, ...other }).includes(unknown) ? unknown : false;
  const compared = names.map((name) => isEqual(one[name] ?? unknown, other[name] ?? unknown));
  if (compared.includes(false)) return false;
  return compared.includes(unknown) ? unknown : true;
}

/** Reads a decimal with one to four places. */
export function decimal(text: string): Extension {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)\.(\d{1,4})$/.exec(text) ?? [];
  if (whole === "") throw new EvaluationFailed("not a decimal");
  return { kind: "decimal", n: long(BigInt(`${sign}${whole}${part.padEnd(4, "0")}`)) };
}

/** Reads a date, or a date and time in UTC or with an offset such as +0530. */
export function datetime(text: string): Extension {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d{4}))?$/.test(text))
    throw new EvaluationFailed("not a datetime");
  const at = Date.parse(
    text.replace(/([+-]\d\d)(\d\d)$/, (match, hours: string, minutes: string) =>
      text.includes("T") ? `${hours}:${minutes}` : match,
    ),
  );
  if (Number.isNaN(at)) throw new EvaluationFailed("not a datetime");
  return { kind: "datetime", n: BigInt(at) };
}

const unitMs = [86_400_000n, 3_600_000n, 60_000n, 1_000n, 1n];

/** Reads a duration such as 1d2h30m5s10ms. */
export function duration(text: string): Extension {
  const match = /^(-?)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (match === null || text.replace("-", "") === "") throw new EvaluationFailed("not a duration");
  const [, sign, ...counts] = match;
  const total = unitMs.reduce((sum, ms, index) => sum + ms * BigInt(counts[index] ?? 0), 0n);
  return { kind: "duration", n: long(sign === "-" ? -total : total) };
}
