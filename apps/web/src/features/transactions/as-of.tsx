import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { clockTime } from "../../lib/format.ts";
import type { Freshness } from "../../lib/transactions.ts";

/** Shows the age of the data and whether it is still confirmed. */
export function AsOf({ asOf, isConfirmed }: Freshness): JSX.Element {
  if (isConfirmed) return <p className="text-xs text-soft">Live. Last confirmed at {clockTime(asOf)}.</p>;
  return (
    <Notice tone="open" live="polite" title={`Not connected. This is as of ${clockTime(asOf)}.`}>
      Approving is off until we reconnect. Trying again every few seconds.
    </Notice>
  );
}
