import type { JSX } from "react";
import { exactTime, fromNow } from "../lib/format.ts";
import { useNow } from "../lib/time.ts";

/** How long ago or ahead, with the exact time for who points at it. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const now = useNow(10_000);
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactTime(date)}>
      {fromNow(date, now)}
    </time>
  );
}
