import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { api } from "../../lib/api.ts";
import { Problem } from "./problems.tsx";
import { useChange } from "./receivers.ts";

type Props = {
  readonly id: string;
  readonly address: string;
  /** Why no code was sent yet. */
  readonly error?: unknown;
  readonly onConfirmed?: () => void;
};

/** Takes the code that was mailed. Until then the address receives nothing else. */
export function ConfirmMail({ id, address, error = null, onConfirmed }: Props): JSX.Element {
  const [code, setCode] = useState("");
  const confirm = useChange((given: string) => api.channels.confirm(id, given), onConfirmed);
  const again = useChange(
    () => api.channels.sendCode(id),
    () => {
      setCode("");
      confirm.reset();
    },
  );
  const digits = code.replaceAll(/\D/g, "");
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(digits);
      }}
    >
      <p className="text-sm">
        Enter the code from our e-mail to <Text className="font-semibold">{address}</Text>. It’s valid for an
        hour.
      </p>
      <Field
        label="Code"
        hint="8 digits"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        mono
        size={12}
        value={code}
        onChange={({ target }) => {
          setCode(target.value);
        }}
      />
      <Problem title="Couldn’t confirm the address" error={confirm.error} />
      <Problem title="Couldn’t send a code" error={again.isIdle ? error : again.error} />
      {again.isSuccess ? <Notice tone="good" live="polite" title="We sent a new code" /> : null}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" type="submit" isBusy={confirm.isPending} disabled={digits.length !== 8}>
          Confirm address
        </Button>
        <Button
          isBusy={again.isPending}
          onClick={() => {
            again.mutate();
          }}
        >
          Send a new code
        </Button>
      </div>
    </form>
  );
}
