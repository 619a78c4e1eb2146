import { Check } from "lucide-react";
import { Checkbox as Box } from "radix-ui";
import { useId, type JSX, type ReactNode } from "react";

type Props = {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
};

/** A checkbox whose label is clickable. */
export function Checkbox({ isChecked, onChange, isDisabled = false, children }: Props): JSX.Element {
  const id = useId();
  return (
    <div className="relative flex min-h-11 items-center gap-3">
      <Box.Root
        id={id}
        checked={isChecked}
        disabled={isDisabled}
        onCheckedChange={(checked) => {
          onChange(checked === true);
        }}
        className="relative z-1 inline-flex size-6 shrink-0 items-center justify-center rounded-md border-2 border-soft bg-page data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent disabled:opacity-60"
      >
        <Box.Indicator>
          <Check aria-hidden className="size-4" strokeWidth={3} />
        </Box.Indicator>
      </Box.Root>
      <label htmlFor={id} className="flex-1 py-2 text-sm after:absolute after:inset-0">
        {children}
      </label>
    </div>
  );
}
