import { useId, useRef, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Field, TextArea } from "../../components/field.tsx";
import { ChainField } from "./chain-field.tsx";
import { examples } from "./examples.ts";
import type { Entered, Problems } from "./read-form.ts";

type Props = {
  readonly entered: Entered;
  readonly problems: Problems;
  readonly isBusy: boolean;
  readonly onChange: (entered: Entered) => void;
  /** Returns false if a field is invalid. */
  readonly onSubmit: () => boolean;
};

/** Focuses the first invalid field. */
function useFirstProblem(): {
  readonly ref: React.RefObject<HTMLFormElement | null>;
  readonly show: () => void;
} {
  const ref = useRef<HTMLFormElement>(null);
  const show = (): void => {
    requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  return { ref, show };
}

export function TryForm({ entered, problems, isBusy, onChange, onSubmit }: Props): JSX.Element {
  const { ref, show } = useFirstProblem();
  const at = (name: keyof Entered) => ({
    name,
    value: entered[name],
    autoComplete: "off",
    spellCheck: false,
    ...(problems[name] === undefined ? {} : { problem: problems[name] }),
    onChange: (event: { readonly target: { readonly value: string } }) => {
      onChange({ ...entered, [name]: event.target.value });
    },
  });
  return (
    <Card title="A request and a transaction">
      <Examples onChoose={onChange} />
      <form
        ref={ref}
        noValidate
        className="mt-4 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!onSubmit()) show();
        }}
      >
        <TextArea label="What you asked" {...at("words")} spellCheck rows={3} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="To" mono placeholder="0x…" {...at("to")} />
          <Field
            label="Value"
            hint="In the network’s native token, for example 0.05"
            inputMode="decimal"
            mono
            {...at("value")}
          />
        </div>
        <TextArea label="Data" hint="Hex. Leave empty for a plain payment." mono {...at("data")} rows={4} />
        <div className="grid gap-4 sm:grid-cols-2">
          <ChainField
            value={entered.chainId}
            onChange={(chainId) => {
              onChange({ ...entered, chainId });
            }}
          />
          <Field
            label="From (optional)"
            hint="The wallet that would sign"
            mono
            placeholder="0x…"
            {...at("from")}
          />
        </div>
        <Button type="submit" look="primary" isBusy={isBusy} className="w-full sm:w-auto">
          {isBusy ? "Checking…" : "Check"}
        </Button>
      </form>
    </Card>
  );
}

function Examples({ onChoose }: { readonly onChoose: (entered: Entered) => void }): JSX.Element {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="mb-2 text-sm font-semibold">
        Examples
      </p>
      <ul className="grid gap-2 sm:grid-cols-3">
        {examples.map(({ name, told, entered }) => (
          <li key={name}>
            <Button
              className="h-full w-full flex-col items-start gap-0.5 text-left"
              onClick={() => {
                onChoose(entered);
              }}
            >
              {name}
              <span className="text-xs font-normal text-soft">{told}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
