// Relative and exact times.

const units = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats `2 days 3 h` or `4 min 10 s`: the two largest units. */
export function span(ms: number): string {
  let left = Math.max(0, Math.round(ms / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of units) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(`${count} ${unit}${unit === "day" && count > 1 ? "s" : ""}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

const exact = (date: Date): string =>
  date
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z/, " UTC");

/** Formats `in 4 min (2026-01-01 12:00:00 UTC)` or `4 min ago (…)`. Returns an invalid time unchanged. */
export function when(time: string, now: Date): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const ms = date.getTime() - now.getTime();
  return `${ms >= 0 ? `in ${span(ms)}` : `${span(-ms)} ago`} (${exact(date)})`;
}

const factors: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

/** Parses `90s`, `10m`, `2h` or `1d` to milliseconds. Returns undefined for other input. */
export function readSpan(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,6})(s|m|min|h|d)$/.exec(text) ?? [];
  const factor = factors[unit ?? ""];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor * 1000;
}
