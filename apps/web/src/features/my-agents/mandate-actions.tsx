import type { Agent, Mandate } from "@countersign/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type JSX } from "react";
import { Button, buttonClass } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { api } from "../../lib/api.ts";

type Props = { readonly mandate: Mandate; readonly agent: Agent };

/** Changes or ends a mandate. A change is a new one in its place. */
export function MandateActions({ mandate, agent }: Props): JSX.Element {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  const end = useMutation({
    mutationFn: () => api.mandates.revoke(mandate.id),
    onSuccess: close,
    onSettled: () => client.invalidateQueries({ queryKey: ["agents"] }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      {agent.status === "ACTIVE" || agent.status === "PAUSED" ? (
        <Link
          to="/agents/$kind/$id/mandate"
          params={{ kind: agent.kind, id: agent.id }}
          search={{ replaces: mandate.id }}
          className={buttonClass("plain")}
        >
          Change
        </Link>
      ) : null}
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        End mandate
      </Button>
      <Confirm isOpen={isOpen} title="End this mandate?" action="End mandate" doing={end} onClose={close}>
        <p>From now on you’re asked. Nothing more is approved under it.</p>
        <p>You’re also asked again about transactions that it allowed and that aren’t sent yet.</p>
      </Confirm>
    </div>
  );
}
