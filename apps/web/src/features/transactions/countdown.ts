const soonMs = 60 * 60 * 1000;

/** Formats the remaining time in its two largest units. */
export function countdown(at: Date, now: Date): { readonly text: string; readonly isSoon: boolean } {
  const leftMs = at.getTime() - now.getTime();
  if (leftMs <= 0) return { text: "expired", isSoon: true };
  const seconds = Math.floor(leftMs / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const text =
    days > 0
      ? `${days} d ${hours} h left`
      : hours > 0
        ? `${hours} h ${minutes} min left`
        : minutes > 0
          ? `${minutes} min ${seconds % 60} s left`
          : `${seconds} s left`;
  return { text, isSoon: leftMs < soonMs };
}
