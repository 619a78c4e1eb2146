import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { ThemeSwitch } from "./theme-switch.tsx";
import { isAutomatic, settingsQuery } from "../lib/settings.ts";

const startsAs = { executionType: 1 } as const;

/** States who approves, as the account is set up. A visitor sees how every account starts. */
export function Footer({ isSignedIn }: { readonly isSignedIn: boolean }): JSX.Element {
  const { data } = useQuery({ ...settingsQuery, enabled: isSignedIn });
  // Undefined until the settings are known: then nothing is claimed.
  const settings = isSignedIn ? data : startsAs;
  return (
    <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 text-xs text-soft">
      <p>
        Agents can propose.
        {settings === undefined
          ? null
          : isAutomatic(settings)
            ? " Proposals that match are approved automatically; you turned that on in Settings."
            : " Only you, or a mandate you signed, can approve."}
      </p>
      <ThemeSwitch />
    </footer>
  );
}
