// Until when a signature of typed data can be used.

/** The members that permits, payments and orders use for their expiry. */
const expiries: ReadonlySet<string> = new Set([
  ...["deadline", "validBefore", "sigDeadline", "expiration", "expiry", "validTo", "endTime"],
]);

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns all expiries in a message, at any depth, in Unix seconds. */
const expiriesIn = (message: Members): readonly bigint[] =>
  Object.entries(message).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.filter(isMembers).flatMap(expiriesIn);
    if (isMembers(value)) return expiriesIn(value);
    return expiries.has(name) && typeof value === "string" && /^\d{1,78}$/.test(value) ? [BigInt(value)] : [];
  });

/** The last moment that a Date can hold, in seconds. */
const latest = 8_640_000_000_000n;

/** Returns the latest expiry as text. Without one, the signature has to be assumed to be usable forever. */
export function usableUntil(message: Members): string {
  const found = expiriesIn(message);
  if (found.length === 0) return "No expiry found: assume that it does not expire";
  const last = found.reduce((one, other) => (other > one ? other : one));
  return last > latest ? "Never expires" : new Date(Number(last) * 1000).toUTCString();
}
