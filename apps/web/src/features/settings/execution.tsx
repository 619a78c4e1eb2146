import type { Settings } from "@countersign/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Choices, type Choice } from "../../components/choices.tsx";
import { Facts } from "../../components/facts.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { api } from "../../lib/api.ts";
import { settingsQuery } from "../../lib/settings.ts";

// Loads the wallet code only when a change needs a signature.
const SignChange = lazy(async () => ({ default: (await import("./sign-change.tsx")).SignChange }));

type ExecutionType = Settings["executionType"];
type Draft = { readonly type: string; readonly window: string };

const choices: readonly Choice[] = [
  {
    value: "1",
    name: "You approve everything",
    told: "Nothing is approved without you. Your wallet sends it.",
  },
  {
    value: "0",
    name: "Matches are approved, you send",
    told: "Proposals that match are approved. You’re asked if one couldn’t be verified. Your wallet sends it.",
  },
  {
    value: "2",
    name: "Matches are approved and sent",
    told: "Proposals that match are sent by your custodian or wallet provider. You’re asked if one couldn’t be verified.",
  },
];
const hourSeconds = 3_600;
const windows: readonly Choice[] = [
  { value: String(hourSeconds), name: "1 hour" },
  { value: String(24 * hourSeconds), name: "24 hours" },
  { value: String(7 * 24 * hourSeconds), name: "7 days" },
  { value: "0", name: "Don’t ask" },
];

/** Also offers the current value if it was set elsewhere. */
const windowsWith = (seconds: number): readonly Choice[] =>
  windows.some(({ value }) => value === String(seconds))
    ? windows
    : [...windows, { value: String(seconds), name: `${seconds} seconds` }];

const types: Readonly<Record<string, ExecutionType>> = { "0": 0, "1": 1, "2": 2 };
const nameOf = (type: ExecutionType): string =>
  choices.find(({ value }) => value === String(type))?.name ?? String(type);

function Choosing({ settings }: { readonly settings: Settings }): JSX.Element {
  const client = useQueryClient();
  const current: Draft = {
    type: String(settings.executionType),
    window: String(settings.repeatWindowSeconds),
  };
  const [draft, setDraft] = useState(current);
  const save = useMutation({
    mutationFn: (executionType: ExecutionType) =>
      api.updateSettings({ executionType, repeatWindowSeconds: Number(draft.window) }),
    onSuccess: (confirmed) => {
      confirm(confirmed);
    },
    onError: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
  const isOtherType = draft.type !== current.type;
  const isChanged = isOtherType || draft.window !== current.window;
  const isLoosened = isChanged && draft.type !== "1";
  const confirm = (confirmed: Settings): void => {
    client.setQueryData(settingsQuery.queryKey, confirmed);
  };
  return (
    <div className="space-y-4">
      <Choices
        label="Who approves"
        value={draft.type}
        onChange={(type) => {
          setDraft({ ...draft, type });
        }}
        choices={choices}
        isDisabled={save.isPending}
      />
      {draft.type === "2" ? (
        <Choices
          inline
          label="Ask me if an agent repeats a payment within"
          value={draft.window}
          onChange={(window) => {
            setDraft({ ...draft, window });
          }}
          choices={windowsWith(settings.repeatWindowSeconds)}
          isDisabled={save.isPending}
        />
      ) : null}
      {isLoosened ? <Limits draft={draft} /> : null}
      {save.error === null ? null : <ProblemNotice title="Couldn’t save the change" error={save.error} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-soft">
          Active: <strong className="text-ink">{nameOf(settings.executionType)}</strong>, since{" "}
          <Time at={settings.updatedAt} />.
        </p>
        {isLoosened ? null : (
          <Button
            look="primary"
            disabled={!isChanged}
            isBusy={save.isPending}
            onClick={() => {
              const chosen = types[draft.type];
              if (chosen !== undefined) save.mutate(chosen);
            }}
          >
            Save
          </Button>
        )}
      </div>
      {isLoosened ? (
        <Suspense fallback={<p role="status">Looking for your wallet…</p>}>
          <SignChange
            executionType={types[draft.type] ?? 1}
            repeatWindowSeconds={Number(draft.window)}
            onConfirmed={confirm}
          />
        </Suspense>
      ) : null}
      <p className="text-xs text-soft">Applies to new proposals. Anything that differs is always blocked.</p>
    </div>
  );
}

/** Lists the limits of the agents in this mode. */
function Limits({ draft: { type, window } }: { readonly draft: Draft }): JSX.Element {
  const repeats =
    type !== "2" ? "Not asked" : window === "0" ? "Not asked" : `You’re asked (${windowName(window)})`;
  return (
    <Notice
      tone="risk"
      title={
        type === "2"
          ? "Payments can leave without you seeing them first"
          : "Proposals are approved without you seeing them first"
      }
    >
      <Facts
        facts={[
          ["Amount limit", "None. Any proposal that matches its request is approved."],
          ["Differs, or couldn’t be verified", "Blocked, or you’re asked"],
          ["The same payment again", repeats],
          ["For a limit per agent", "Sign a mandate under Agents"],
        ]}
      />
    </Notice>
  );
}

const windowName = (seconds: string): string =>
  windows.find(({ value }) => value === seconds)?.name ?? `${seconds} seconds`;

/** Selects who approves and sends. Takes effect once the service has confirmed it. */
export function Execution(): JSX.Element {
  const { data, error, isPending } = useQuery(settingsQuery);
  if (isPending) return <Loading what="your settings" />;
  return (
    <Card title="Approvals">
      {error === null ? null : <ProblemNotice title="Couldn’t load this setting" error={error} />}
      {data === undefined ? null : <Choosing settings={data} />}
    </Card>
  );
}
