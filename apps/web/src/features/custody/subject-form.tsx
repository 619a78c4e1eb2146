import { useState, type JSX, type SyntheticEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Field } from "../../components/field.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { api } from "../../lib/api.ts";
import { useChange, type Integration, type IntegrationType } from "./queries.ts";

const needed = [
  ["commonName", "Key name", "Shown at the custodian, for example “countersign agent”."],
  ["organization", "Organization", "Your organization’s name."],
  ["country", "Country", "Two-letter code, for example CH."],
] as const;
const optional = [
  ["organizationalUnit", "Unit (optional)"],
  ["locality", "City (optional)"],
  ["state", "State or province (optional)"],
  ["email", "Email (optional)"],
] as const;

/** Reads the filled-in fields; empty ones are not sent. */
const read = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" && value.trim() !== "" ? [[name, value]] : [],
    ),
  );

type Props = {
  readonly type: IntegrationType;
  /** A key exists and would be replaced. */
  readonly isReplacing: boolean;
};

/** Takes the certificate subject. The service creates the key and returns only the CSR. */
export function SubjectForm({ type, isReplacing }: Props): JSX.Element {
  const [isUnderstood, setUnderstood] = useState(false);
  const make = useChange(
    type,
    async (subject: Record<string, string>) =>
      (
        await api.request<Integration>(`/custody/generate-csr/${type}`, {
          method: "POST",
          body: { ...subject, ...(isReplacing ? { recreate: true } : {}) },
          timeoutMs: 60_000,
        })
      ).body,
  );
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    make.mutate(read(event.currentTarget), {
      onSuccess: () => {
        setUnderstood(false);
      },
    });
  };
  return (
    <form className="space-y-3" onSubmit={send}>
      <div className="grid gap-3 sm:grid-cols-2">
        {needed.map(([name, label, hint]) => (
          <Field
            key={name}
            {...{ name, label, hint }}
            required
            maxLength={64}
            {...(name === "country" ? { maxLength: 2, minLength: 2, pattern: "[A-Za-z]{2}" } : {})}
          />
        ))}
        {optional.map(([name, label]) => (
          <Field key={name} {...{ name, label }} maxLength={128} />
        ))}
      </div>
      {isReplacing ? (
        <Checkbox isChecked={isUnderstood} onChange={setUnderstood}>
          The current integration stops sending at once. The custodian must approve the new key.
        </Checkbox>
      ) : null}
      {make.error === null ? null : <ProblemNotice title="Couldn’t create the key" error={make.error} />}
      <Button
        type="submit"
        look={isReplacing ? "danger" : "primary"}
        isBusy={make.isPending}
        disabled={isReplacing && !isUnderstood}
      >
        {isReplacing ? "Replace key" : "Create key and CSR"}
      </Button>
      {make.isPending ? (
        <p role="status" className="text-sm text-soft">
          Creating a 4096-bit key. This takes a few seconds.
        </p>
      ) : null}
    </form>
  );
}
