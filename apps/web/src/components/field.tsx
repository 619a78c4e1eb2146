import { useId, type InputHTMLAttributes, type JSX, type TextareaHTMLAttributes } from "react";
import { cn } from "../lib/class-names.ts";

const look =
  "w-full rounded-lg border border-line bg-page px-3 py-2 text-ink placeholder:text-soft aria-invalid:border-bad";

type About = {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The validation error. */
  readonly problem?: string | undefined;
  readonly mono?: boolean;
};

type Linked = { readonly id: string; readonly "aria-describedby"?: string; readonly "aria-invalid"?: true };
type FrameProps = Omit<About, "mono"> & { readonly children: (linked: Linked) => JSX.Element };

/** Links label, hint and error to the control for screen readers. */
function Frame({ label, hint, problem, children }: FrameProps): JSX.Element {
  const id = useId();
  const told = [
    hint === undefined ? [] : [`${id}-hint`],
    problem === undefined ? [] : [`${id}-problem`],
  ].flat();
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-semibold">
        {label}
      </label>
      {children({
        id,
        ...(told.length === 0 ? {} : { "aria-describedby": told.join(" ") }),
        ...(problem === undefined ? {} : { "aria-invalid": true }),
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-xs text-soft">
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className="text-sm font-medium text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}

type InputProps = About & Omit<InputHTMLAttributes<HTMLInputElement>, "id">;

/** A text input with label, hint and error. */
export function Field({ label, hint, problem, mono = false, className, ...rest }: InputProps): JSX.Element {
  return (
    <Frame {...{ label, hint, problem }}>
      {(linked) => (
        <input
          {...linked}
          {...rest}
          className={cn(look, "min-h-11", mono && "font-mono text-sm", className)}
        />
      )}
    </Frame>
  );
}

type AreaProps = About & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id">;

/** A multi-line text input. */
export function TextArea({ label, hint, problem, mono = false, className, ...rest }: AreaProps): JSX.Element {
  return (
    <Frame {...{ label, hint, problem }}>
      {(linked) => (
        <textarea
          rows={3}
          {...linked}
          {...rest}
          className={cn(look, mono && "font-mono text-sm", className)}
        />
      )}
    </Frame>
  );
}
