import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { ThemeSwitch } from "./theme-switch.tsx";
import { isAutomatic, settingsQuery } from "../lib/settings.ts";

/** States who approves, as the account is set up. */
export function Footer({ isSignedIn }: { readonly isSignedIn: boolean }): JSX.Element {
  const { data } = useQuery({ ...settingsQuery, enabled: isSignedIn });
  return (
    <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 text-xs text-soft">
      <p>
        {isSignedIn && data !== undefined && isAutomatic(data)
          ? "Agents can propose. Proposals that match are approved automatically; you turned that on in Settings."
          : "Agents can propose. Only you, or a mandate you signed, can approve."}
      </p>
      <ThemeSwitch />
    </footer>
  );
}
