import type { Api } from "@countersign/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Field, TextArea } from "../../components/field.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { api } from "../../lib/api.ts";
import { counted } from "../../lib/format.ts";
import { readKeys } from "./read-keys.ts";

type Props = { readonly type: Api.ProviderQuorum["type"]; readonly current: Api.ProviderQuorum | null };

/** Saves the owner's keys or the service's key, and shows what the service returns. */
function useSet(type: Props["type"]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (wish: Omit<Api.ProviderQuorum, "type" | "quorumId" | "static"> | "service") =>
      wish === "service"
        ? (
            await api.request<Api.ProviderQuorum>("/settings/register-provider-quorum", {
              method: "POST",
              body: { type, navaAgent: true },
            })
          ).body
        : (
            await api.request<Api.ProviderQuorum>(`/settings/provider-quorum/${type}`, {
              method: "PUT",
              body: wish,
            })
          ).body,
    onSuccess: (confirmed) => {
      client.setQueryData(["quorum", type], confirmed);
    },
    onError: () => client.invalidateQueries({ queryKey: ["quorum", type] }),
  });
}

function Own({
  set,
  current,
}: {
  readonly set: ReturnType<typeof useSet>;
  readonly current: Props["current"];
}): JSX.Element {
  const [displayName, setName] = useState(current?.displayName ?? "");
  const [pem, setPem] = useState("");
  const [threshold, setThreshold] = useState("1");
  const p256PublicKeys = [...readKeys(pem)];
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate({ displayName, p256PublicKeys, threshold: Number(threshold) });
      }}
    >
      <Field
        label="Name"
        value={displayName}
        required
        maxLength={50}
        onChange={({ target }) => {
          setName(target.value);
        }}
      />
      <TextArea
        label="Public keys"
        hint={`P-256 keys in PEM format. ${counted(p256PublicKeys.length, "key")} found.`}
        mono
        rows={5}
        spellCheck={false}
        value={pem}
        onChange={({ target }) => {
          setPem(target.value);
        }}
      />
      <Field
        label="Signatures needed"
        type="number"
        min={1}
        max={10}
        required
        value={threshold}
        onChange={({ target }) => {
          setThreshold(target.value);
        }}
      />
      <Button type="submit" look="primary" isBusy={set.isPending} disabled={p256PublicKeys.length === 0}>
        Save keys
      </Button>
    </form>
  );
}

/** Creates or replaces the quorum of a type. */
export function QuorumForm({ type, current }: Props): JSX.Element {
  const set = useSet(type);
  return (
    <div className="space-y-4">
      <Own set={set} current={current} />
      <div className="space-y-2 border-t border-line pt-4">
        <p className="text-sm text-soft">
          Or let this service sign with its own key. It can then send without you.
        </p>
        <Button
          isBusy={set.isPending}
          onClick={() => {
            set.mutate("service");
          }}
        >
          Use this service’s key
        </Button>
      </div>
      {set.error === null ? null : <ProblemNotice title="Couldn’t save it" error={set.error} />}
      {set.isSuccess ? <Notice tone="good" live="polite" title="Saved" /> : null}
    </div>
  );
}
