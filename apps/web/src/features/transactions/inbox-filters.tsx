import { Search } from "lucide-react";
import type { JSX, RefObject } from "react";
import { outcomes, type Filter } from "./inbox-items.ts";

const control = "min-h-11 rounded-lg border border-soft bg-card px-3 text-sm text-ink placeholder:text-soft";

type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
};

function Select({ label, value, choices, onChange }: SelectProps): JSX.Element {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
      className={`${control} max-w-40`}
    >
      <option value="">{label}</option>
      {choices.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

type Props = {
  readonly filter: Filter;
  readonly agents: readonly string[];
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onChange: (filter: Partial<Filter>) => void;
};

/** Search and filters. Their state is in the URL, so that Back and a shared link show the same list. */
export function InboxFilters({ filter, agents, search, onChange }: Props): JSX.Element {
  return (
    <div role="search" className="mb-3 flex flex-wrap gap-2">
      <div className="relative min-w-48 flex-1 sm:max-w-sm">
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3 size-4 text-soft" />
        <input
          ref={search}
          type="search"
          value={filter.q}
          aria-label="Search"
          placeholder="Amounts, addresses, agents"
          onChange={(event) => {
            onChange({ q: event.target.value });
          }}
          className={`${control} w-full pl-9`}
        />
      </div>
      <Select
        label="Outcome"
        value={filter.outcome}
        choices={Object.entries(outcomes).map(([value, [name]]) => [value, name] as const)}
        onChange={(outcome) => {
          onChange({ outcome });
        }}
      />
      {agents.length < 2 && filter.agent === "" ? null : (
        <Select
          label="Agent"
          value={filter.agent}
          choices={agents.map((name) => [name, name] as const)}
          onChange={(agent) => {
            onChange({ agent });
          }}
        />
      )}
    </div>
  );
}
