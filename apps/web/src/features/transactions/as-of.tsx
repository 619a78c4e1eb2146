import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { clockTime } from "../../lib/format.ts";
import type { Freshness } from "../../lib/transactions.ts";

/** Of when it is what is on screen, and whether it is still so. */
export function AsOf({ asOf, isConfirmed }: Freshness): JSX.Element {
  if (isConfirmed)
    return <p className="text-xs text-soft">As the service confirmed it, {clockTime(asOf)} or later.</p>;
  return (
    <Notice
      tone="open"
      live="polite"
      title={`As of ${clockTime(asOf)}. Whether it is still so is not known.`}
    >
      No answer has come since, or only an older one. The service is asked again every few seconds.
    </Notice>
  );
}
