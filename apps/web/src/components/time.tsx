import type { JSX } from "react";
import { exactTime, fromNow } from "../lib/format.ts";
import { useNow } from "../lib/time.ts";

/** A relative time, with the exact time as tooltip. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const now = useNow(10_000);
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactTime(date)}>
      {fromNow(date, now)}
    </time>
  );
}
