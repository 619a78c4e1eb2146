// Attackers create addresses that share their ends with a known one, because people compare the ends only.

/** Returns the first and the last four digits, without their case. Equal to the column `ends` in the database. */
export const endsOf = (address: string): string => `${address.slice(2, 6)}${address.slice(-4)}`.toLowerCase();

/** Whether one address could be mistaken for the other: the same ends, and another middle. */
export const looksLike = (one: string, other: string): boolean =>
  one.toLowerCase() !== other.toLowerCase() && endsOf(one) === endsOf(other);
