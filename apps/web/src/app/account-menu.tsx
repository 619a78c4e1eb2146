import type { Hex } from "@countersign/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import type { JSX } from "react";
import { Button } from "../components/button.tsx";
import { shortHex } from "../lib/format.ts";
import { signOut } from "../lib/session.ts";

/** Shows the account's address and the sign-out button. */
export function AccountMenu({ address }: { readonly address: Hex }): JSX.Element {
  const client = useQueryClient();
  const leave = useMutation({ mutationFn: () => signOut(client, { everywhere: false }) });
  return (
    <>
      <span title={address} className="font-mono text-xs text-soft">
        {shortHex(address)}
      </span>
      <Button
        look="plain"
        isBusy={leave.isPending}
        onClick={() => {
          leave.mutate();
        }}
        aria-label={leave.isError ? "Sign out. It didn’t go through: try again" : "Sign out"}
        className="px-3"
      >
        <LogOut aria-hidden className="size-4" />
        <span className="hidden sm:inline">
          {leave.isError ? "Couldn’t sign out. Try again" : "Sign out"}
        </span>
      </Button>
    </>
  );
}
