import type { Agent } from "@countersign/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Text } from "../../components/text.tsx";
import { removeAgent } from "../../lib/agents.ts";
import { api } from "../../lib/api.ts";

/** Runs a change of the agent, then reads everything about agents again. */
function useChange(change: () => Promise<unknown>, onDone: () => void = () => undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: onDone,
    onSettled: () =>
      Promise.all(
        [["agents"], ["access"], ["transactions"]].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

type Props = { readonly agent: Agent };

/** Pauses after a confirmation; resumes at once. */
export function PauseButton({ agent }: Props): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const isPaused = agent.pausedAt !== null;
  const change = useChange(
    () => (isPaused ? api.agents.resume(agent) : api.agents.pause(agent)),
    () => {
      setOpen(false);
    },
  );
  if (agent.status === "REVOKED" || agent.status === "EXPIRED") return null;
  return (
    <>
      <Button
        isBusy={isPaused && change.isPending}
        onClick={() => {
          if (isPaused) change.mutate();
          else setOpen(true);
        }}
      >
        {isPaused ? <Play aria-hidden className="size-4" /> : <Pause aria-hidden className="size-4" />}
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Confirm
        isOpen={isOpen}
        title="Pause this agent?"
        action="Pause agent"
        doing={{
          mutate: () => {
            change.mutate();
          },
          reset: change.reset,
          isPending: change.isPending,
          error: change.error,
        }}
        onClose={() => {
          setOpen(false);
        }}
      >
        <p>
          <Text className="font-semibold">{agent.name}</Text> can’t propose until you resume it. You’re asked
          about what it proposed before, also within its limits.
        </p>
        <p>Transactions that are approved already stay approved.</p>
      </Confirm>
    </>
  );
}

const powers: Readonly<Record<string, string>> = {
  "transactions:create:own": "Can propose transactions",
  "transactions:read:own": "Can read your transactions",
};

/** Lists the powers of the credential, and removes it. */
export function Access({ agent }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    setOpen(false);
  };
  const remove = useChange(() => removeAgent(agent), close);
  const isInUse = agent.status === "ACTIVE" || agent.status === "PAUSED";
  return (
    <Card title="Access">
      <ul className="space-y-2 text-sm">
        {agent.scopes.flatMap((scope) =>
          powers[scope] === undefined ? [] : <li key={scope}>{powers[scope]}</li>,
        )}
        <li>
          <strong>Can’t approve for you.</strong> No agent can.
        </li>
      </ul>
      {isInUse ? (
        <div className="mt-3">
          <Button
            className="text-bad!"
            onClick={() => {
              setOpen(true);
            }}
          >
            Remove agent
          </Button>
        </div>
      ) : null}
      <Confirm
        isOpen={isOpen}
        title="Remove this agent?"
        action="Remove agent"
        doing={remove}
        onClose={close}
      >
        <p>
          <Text className="font-semibold">{agent.name}</Text> loses access to your account at once.
        </p>
        <p>You can’t undo this. Earlier proposals stay, and its mandates approve nothing more.</p>
      </Confirm>
    </Card>
  );
}
