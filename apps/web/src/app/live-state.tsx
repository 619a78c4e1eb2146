import type { Hex } from "@countersign/sdk";
import { useQueryClient } from "@tanstack/react-query";
import type { JSX } from "react";
import { Notice } from "../components/notice.tsx";
import { clockTime } from "../lib/format.ts";
import { useLive } from "../lib/live.ts";

/** Subscribes to events while signed in, and warns when the connection is lost and the page may be stale. */
export function LiveState({ account }: { readonly account: Hex }): JSX.Element | null {
  const live = useLive(account, useQueryClient());
  if (live.state !== "lost") return null;
  return (
    <div className="pt-3">
      <Notice tone="open" live="polite" title="You’re offline">
        This page is as of {clockTime(live.since)}. It may have changed since.
      </Notice>
    </div>
  );
}
