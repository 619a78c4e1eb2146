import { useQuery } from "@tanstack/react-query";
import { useId, useState, type JSX, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Choices } from "../../components/choices.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { agentsQuery, useAgentNames } from "../../lib/agents.ts";
import { messageNames, messageTypes, type MessageType } from "./names.ts";
import { changeOf, choiceOf, problemOfChoice, type Choice } from "./preferences.ts";
import { Problem } from "./problems.tsx";
import { callsOf, useChange, type Receiver } from "./receivers.ts";
import { browserTimeZone, timeZonesWith } from "./time-zones.ts";

type PartProps = { readonly choice: Choice; readonly onChange: (changes: Partial<Choice>) => void };

const toggled = <Item,>(items: readonly Item[], item: Item, isOn: boolean): readonly Item[] =>
  isOn ? [...items.filter((one) => one !== item), item] : items.filter((one) => one !== item);

function Group({ label, children }: { readonly label: string; readonly children: ReactNode }): JSX.Element {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="space-y-1">
      <p id={id} className="text-sm font-semibold">
        {label}
      </p>
      {children}
    </div>
  );
}

function Events({ choice: { events }, onChange }: PartProps): JSX.Element {
  return (
    <Group label="What we notify you about">
      {messageTypes.map((type: MessageType) => {
        const [name, told] = messageNames[type];
        return (
          <Checkbox
            key={type}
            isChecked={events.includes(type)}
            onChange={(isOn) => {
              onChange({ events: toggled(events, type, isOn) });
            }}
          >
            {name}
            <span className="block text-xs text-soft">{told}</span>
          </Checkbox>
        );
      })}
    </Group>
  );
}

function Agents({ choice: { agents }, onChange }: PartProps): JSX.Element | null {
  const { data } = useQuery(agentsQuery);
  const nameOf = useAgentNames();
  // Removed agents stay in the list while they are chosen, so that the owner can drop them.
  const known = data?.map(({ kind, id }) => `${kind}:${id}`) ?? [];
  const listed = [...known, ...(agents ?? []).filter((agent) => !known.includes(agent))];
  if (listed.length === 0) return null;
  return (
    <div className="space-y-2">
      <Choices
        label="Which agents"
        value={agents === undefined ? "all" : "some"}
        onChange={(value) => {
          onChange({ agents: value === "all" ? undefined : [] });
        }}
        choices={[
          { value: "all", name: "All agents" },
          { value: "some", name: "Only these" },
        ]}
      />
      {agents === undefined ? null : (
        <Group label="Agents">
          {listed.map((agent) => (
            <Checkbox
              key={agent}
              isChecked={agents.includes(agent)}
              onChange={(isOn) => {
                onChange({ agents: toggled(agents, agent, isOn) });
              }}
            >
              <Text>{nameOf(agent)}</Text>
            </Checkbox>
          ))}
        </Group>
      )}
    </div>
  );
}

const digests = [
  { value: "none", name: "Each at once" },
  { value: "hourly", name: "Together, every hour" },
  { value: "daily", name: "Together, every day at 08:00" },
] as const;

function TimeZone({ choice: { timeZone }, onChange }: PartProps): JSX.Element {
  const id = useId();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-semibold">
        Time zone
      </label>
      <select
        id={id}
        value={timeZone}
        onChange={({ target }) => {
          onChange({ timeZone: target.value });
        }}
        className="min-h-11 w-full rounded-lg border border-line bg-page px-3 py-2 text-ink"
      >
        {timeZonesWith(timeZone).map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </div>
  );
}

function Rhythm({ choice, onChange }: PartProps): JSX.Element {
  const { isQuiet, from, until, digest } = choice;
  return (
    <div className="space-y-3">
      <Choices
        label="How often"
        value={digest}
        onChange={(value) => {
          onChange({ digest: digests.find((one) => one.value === value)?.value ?? "none" });
        }}
        choices={digests}
      />
      <Checkbox
        isChecked={isQuiet}
        onChange={(isOn) => {
          onChange({ isQuiet: isOn });
        }}
      >
        Quiet hours
        <span className="block text-xs text-soft">Messages wait and then come as one, every day.</span>
      </Checkbox>
      {isQuiet ? (
        <div className="grid grid-cols-2 gap-3">
          <Field
            label="From"
            type="time"
            required
            value={from}
            onChange={({ target }) => {
              onChange({ from: target.value });
            }}
          />
          <Field
            label="Until"
            type="time"
            required
            value={until}
            onChange={({ target }) => {
              onChange({ until: target.value });
            }}
          />
        </div>
      ) : null}
      {isQuiet || digest === "daily" ? <TimeZone {...{ choice, onChange }} /> : null}
      {isQuiet || digest !== "none" ? (
        <p className="text-xs text-soft">
          Security alerts never wait. Neither does a decision that would expire before you’d hear of it.
        </p>
      ) : null}
    </div>
  );
}

type Props = { readonly receiver: Receiver; readonly isOpen: boolean; readonly onClose: () => void };

function Form({ receiver, onClose }: Omit<Props, "isOpen">): JSX.Element {
  const [choice, setChoice] = useState(() => choiceOf(receiver, browserTimeZone()));
  const change = (changes: Partial<Choice>): void => {
    setChoice({ ...choice, ...changes });
  };
  const save = useChange(
    async () => {
      await callsOf(receiver).update(receiver.id, changeOf(choice, receiver));
    },
    () => {
      onClose();
    },
  );
  const problem = problemOfChoice(choice);
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) save.mutate();
      }}
    >
      <Events choice={choice} onChange={change} />
      <Agents choice={choice} onChange={change} />
      {receiver.rhythm === undefined ? null : <Rhythm choice={choice} onChange={change} />}
      <Field
        label="Name (optional)"
        maxLength={200}
        autoComplete="off"
        value={choice.description}
        onChange={({ target }) => {
          change({ description: target.value });
        }}
      />
      {problem === undefined ? null : <Notice tone="open" live="polite" title={problem} />}
      <Problem title="Couldn’t save the change" error={save.error} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={save.isPending} disabled={problem !== undefined}>
          Save
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Chooses which messages a receiver gets, about which agents, and when. */
export function PreferencesDialog({ receiver, isOpen, onClose }: Props): JSX.Element {
  return (
    <Dialog isOpen={isOpen} title="What and when" onClose={onClose}>
      <Form receiver={receiver} onClose={onClose} />
    </Dialog>
  );
}
