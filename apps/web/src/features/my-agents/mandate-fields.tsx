import { useId, type InputHTMLAttributes, type JSX, type SelectHTMLAttributes } from "react";
import { Checkbox } from "../../components/checkbox.tsx";
import { Field, TextArea } from "../../components/field.tsx";
import { Text } from "../../components/text.tsx";
import { assetSymbol } from "../../lib/assets.ts";
import { cn } from "../../lib/class-names.ts";
import { assetChoices, periodChoices, type Fields, type Problems } from "./mandate-form.ts";

const blank =
  "min-h-11 rounded-lg border border-line bg-page px-2 py-1 font-semibold text-accent aria-invalid:border-bad";

type BlankProps = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly problem: string | undefined;
};

/** A gap in the sentence. Its label is for screen readers; the sentence around it says the same. */
function Blank({ label, problem, className, ...rest }: BlankProps): JSX.Element {
  const id = useId();
  return (
    <span className="inline-block">
      <input
        {...rest}
        aria-label={label}
        autoComplete="off"
        {...(problem === undefined ? {} : { "aria-invalid": true, "aria-describedby": id })}
        className={cn(blank, className)}
      />
      {problem === undefined ? null : (
        <span id={id} className="block text-sm font-medium text-bad">
          {problem}
        </span>
      )}
    </span>
  );
}

type PickProps = SelectHTMLAttributes<HTMLSelectElement> & {
  readonly label: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
};

function Pick({ label, choices, ...rest }: PickProps): JSX.Element {
  return (
    <select {...rest} aria-label={label} className={cn(blank, "max-w-full")}>
      {choices.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

type Props = {
  readonly agentName: string;
  readonly fields: Fields;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<Fields>) => void;
};

function Sentence({ agentName, fields, problems, onChange }: Props): JSX.Element {
  const { asset, each, most, period, until } = fields;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-3 text-lg leading-10">
      <span>
        <Text className="font-semibold">{agentName}</Text> may send payments of up to
      </span>
      <Blank
        label="Most per payment, optional"
        placeholder="any"
        inputMode="decimal"
        className="w-24"
        value={each}
        problem={problems.each}
        onChange={({ target }) => {
          onChange({ each: target.value });
        }}
      />
      <Pick
        label="Asset"
        choices={assetChoices}
        value={asset}
        onChange={({ target }) => {
          onChange({ asset: target.value });
        }}
      />
      <span>each and</span>
      <Blank
        label="Most per period"
        required
        inputMode="decimal"
        className="w-28"
        value={most}
        problem={problems.most}
        onChange={({ target }) => {
          onChange({ most: target.value });
        }}
      />
      <span>{assetSymbol(asset)} in</span>
      <Pick
        label="Period"
        choices={periodChoices}
        value={period}
        onChange={({ target }) => {
          onChange({ period: target.value });
        }}
      />
      <span>until</span>
      <Blank
        label="Until"
        type="date"
        required
        value={until}
        problem={problems.until}
        onChange={({ target }) => {
          onChange({ until: target.value });
        }}
      />
    </div>
  );
}

/** The sentence with gaps, then whom it may pay and why. */
export function MandateFields(props: Props): JSX.Element {
  const { fields, problems, onChange } = props;
  return (
    <div className="space-y-5">
      <Sentence {...props} />
      <TextArea
        label="To these addresses"
        hint="One per line. It can pay no one else."
        mono
        spellCheck={false}
        value={fields.isAnyone ? "" : fields.recipients}
        disabled={fields.isAnyone}
        problem={problems.recipients}
        onChange={({ target }) => {
          onChange({ recipients: target.value });
        }}
      />
      <Checkbox
        isChecked={fields.isAnyone}
        onChange={(isAnyone) => {
          onChange({ isAnyone });
        }}
      >
        Let it pay anyone, within the limits
      </Checkbox>
      <Field
        label="What for"
        hint="Your wallet shows it. It doesn’t limit anything."
        maxLength={200}
        value={fields.purpose}
        problem={problems.purpose}
        onChange={({ target }) => {
          onChange({ purpose: target.value });
        }}
      />
    </div>
  );
}
