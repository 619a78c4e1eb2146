import { RadioGroup } from "radix-ui";
import { useId, type JSX, type ReactNode } from "react";
import { cn } from "../lib/class-names.ts";

export type Choice = { readonly value: string; readonly name: string; readonly told?: ReactNode };

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly Choice[];
  readonly isDisabled?: boolean;
  /** Lays out short options in one row. */
  readonly inline?: boolean;
  /** Leaves more space for each of them. */
  readonly wide?: boolean;
};

function One({ choice, id }: { readonly choice: Choice; readonly id: string }): JSX.Element {
  const { value, name, told } = choice;
  return (
    <div className="relative flex min-h-11 gap-3 rounded-xl border border-line bg-card p-3 has-data-[state=checked]:border-accent has-data-[state=checked]:bg-inset">
      <RadioGroup.Item
        id={id}
        value={value}
        {...(told === undefined ? {} : { "aria-describedby": `${id}-told` })}
        className="relative z-1 mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full border-2 border-soft bg-page data-[state=checked]:border-accent disabled:opacity-60"
      >
        <RadioGroup.Indicator className="size-2.5 rounded-full bg-accent" />
      </RadioGroup.Item>
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block text-sm font-semibold after:absolute after:inset-0">
          {name}
        </label>
        {told === undefined ? null : (
          <div id={`${id}-told`} className="mt-1 text-sm text-soft">
            {told}
          </div>
        )}
      </div>
    </div>
  );
}

/** A radio group with a description for each option. */
export function Choices({
  label,
  value,
  onChange,
  choices,
  isDisabled = false,
  inline = false,
  wide = false,
}: Props): JSX.Element {
  const id = useId();
  return (
    <div className="space-y-1">
      <p id={id} className="text-sm font-semibold">
        {label}
      </p>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={onChange}
        disabled={isDisabled}
        className={cn(
          "grid gap-2",
          inline && "grid-cols-2",
          inline && (wide ? "sm:grid-cols-3" : "sm:grid-cols-4"),
        )}
      >
        {choices.map((choice) => (
          <One key={choice.value} choice={choice} id={`${id}-${choice.value}`} />
        ))}
      </RadioGroup.Root>
    </div>
  );
}
