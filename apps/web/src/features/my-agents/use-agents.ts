// Everything that the pages about agents need together.
import { useQuery } from "@tanstack/react-query";
import { mandatesQuery } from "../../lib/agents.ts";
import { settingsQuery } from "../../lib/settings.ts";

/** The account's mandates and mode. Empty and undefined until they are known. */
export function useLimits() {
  const mandates = useQuery(mandatesQuery);
  const settings = useQuery(settingsQuery);
  return {
    mandates: mandates.data ?? [],
    executionType: settings.data?.executionType,
    isPending: mandates.isPending || settings.isPending,
    error: mandates.error ?? settings.error,
  };
}
