import type { JSX } from "react";
import { exactTime } from "../lib/format.ts";
import { useNow } from "../lib/time.ts";

const twoDigits = (count: number): string => String(count).padStart(2, "0");

/** Shows the remaining time to the second. Only the service decides whether it has expired: clocks differ. */
export function Countdown({ until }: { readonly until: string }): JSX.Element {
  const now = useNow(1000);
  const end = new Date(until);
  const seconds = Math.floor((end.getTime() - now.getTime()) / 1000);
  return (
    <time dateTime={until} title={exactTime(end)} className="tabular-nums">
      {seconds <= 0 ? "expiring now" : `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)} minutes`}
    </time>
  );
}
