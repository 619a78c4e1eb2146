import type { JSX } from "react";
import { exactTime } from "../../lib/format.ts";
import { useNow } from "../../lib/time.ts";
import { countdown } from "./countdown.ts";

/** Shows the time left to decide or send. Only the service decides whether it has expired. */
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
