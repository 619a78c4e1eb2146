import { useRef, useState, type JSX, type SyntheticEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Choices } from "../../components/choices.tsx";
import { Field, TextArea } from "../../components/field.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { api } from "../../lib/api.ts";
import { useChange, type Integration, type IntegrationType } from "./queries.ts";

const environments = [
  { value: "sandbox", name: "Sandbox" },
  { value: "testnet", name: "Testnet" },
  { value: "mainnet", name: "Mainnet" },
];
const regions = [
  { value: "US", name: "US" },
  { value: "EU", name: "EU" },
  { value: "EU2", name: "EU2" },
];

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
};

type Props = { readonly type: IntegrationType; readonly current: Integration };

/** Takes the custodian's details. Drops the API key once the request is sent. */
export function CredentialsForm({ type, current }: Props): JSX.Element {
  const [environment, setEnvironment] = useState<string>(current.environment ?? "sandbox");
  const [region, setRegion] = useState<string>(current.region ?? "US");
  const apiKey = useRef("");
  const complete = useChange(type, async (given: Record<string, string>) => {
    const body = { ...given, apiKey: apiKey.current };
    apiKey.current = "";
    return (
      await api.request<Integration>(`/custody/complete/${type}`, { method: "POST", body, timeoutMs: 60_000 })
    ).body;
  });
  const send = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    apiKey.current = textOf(data, "apiKey");
    const cosignerPublicKey = textOf(data, "cosignerPublicKey");
    complete.mutate({
      ...{ vaultAccountId: textOf(data, "vaultAccountId"), environment, region },
      ...(cosignerPublicKey === "" ? {} : { cosignerPublicKey }),
    });
    const field = event.currentTarget.elements.namedItem("apiKey");
    if (field instanceof HTMLInputElement) field.value = "";
  };
  return (
    <form className="space-y-4" autoComplete="off" onSubmit={send}>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          name="apiKey"
          label="API key of the API user"
          hint="Stored encrypted. Never shown again."
          type="password"
          autoComplete="off"
          required
          maxLength={1024}
        />
        <Field
          name="vaultAccountId"
          label="Vault account"
          hint="The number at your custodian."
          defaultValue={current.vaultAccountId ?? ""}
          autoComplete="off"
          required
          maxLength={64}
        />
      </div>
      <Choices
        label="Environment"
        value={environment}
        onChange={setEnvironment}
        choices={environments}
        inline
      />
      <Choices label="Region" value={region} onChange={setRegion} choices={regions} inline />
      <TextArea
        name="cosignerPublicKey"
        label="Public key of your co-signer (optional)"
        hint="RSA, 2048 bits or more, in PEM format. Leave empty to keep the current key."
        mono
        spellCheck={false}
        rows={4}
      />
      {complete.error === null ? null : <ProblemNotice title="Couldn’t save it" error={complete.error} />}
      {complete.isSuccess ? <Notice tone="good" live="polite" title="Saved" /> : null}
      <Button type="submit" look="primary" isBusy={complete.isPending}>
        Save
      </Button>
    </form>
  );
}
