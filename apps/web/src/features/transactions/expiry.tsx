import type { JSX } from "react";
import { exactTime } from "../../lib/format.ts";
import { useNow } from "../../lib/time.ts";
import { countdown } from "./countdown.ts";

/** How long it can still be decided or sent. That the time is over is for the service to say. */
export function Expiry({ at }: { readonly at: string }): JSX.Element {
  const now = useNow(1000);
  const date = new Date(at);
  const { text, isSoon } = countdown(date, now);
  return (
    <time dateTime={at} title={exactTime(date)} className={isSoon ? "font-semibold text-open" : ""}>
      {text}
    </time>
  );
}
