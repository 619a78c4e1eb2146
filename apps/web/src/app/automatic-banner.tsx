import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import type { JSX } from "react";
import { mandatesQuery } from "../lib/agents.ts";
import { isAutomatic, settingsQuery } from "../lib/settings.ts";

const told = {
  0: "Proposals that match are approved without asking you. You send them.",
  2: "Proposals that match are approved and sent without asking you.",
} as const;

/** Stays while agents can act without the owner. */
export function AutomaticBanner(): JSX.Element | null {
  const { data } = useQuery(settingsQuery);
  const isOn = data !== undefined && isAutomatic(data);
  const mandates = useQuery({ ...mandatesQuery, enabled: isOn }).data ?? [];
  if (!isOn) return null;
  const hasLimits = data.executionType === 2 && mandates.some(({ status }) => status === "ACTIVE");
  return (
    <aside
      aria-label="Automatic approval"
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-open bg-open-bg px-4 py-2 text-sm"
    >
      <Zap aria-hidden className="size-4 shrink-0 text-open" />
      <p className="min-w-0 flex-1">
        <strong>Automatic approval is on.</strong> {told[data.executionType === 0 ? 0 : 2]}{" "}
        {hasLimits ? "Agents with a mandate stay within its limits." : "No amount limit."}
      </p>
      <Link to="/settings" className="inline-flex min-h-11 items-center font-semibold text-accent underline">
        Change
      </Link>
    </aside>
  );
}
