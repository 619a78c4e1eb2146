import type { ListedApiKey } from "@countersign/sdk";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { useNow } from "../../lib/time.ts";
import { useMakeKey, type MakeKey } from "./new-key.tsx";
import { useRevokeKey } from "./queries.ts";
import { Secret } from "./secret.tsx";

/** Returns an expiry that gives the new key the same lifetime as the old one. */
function sameSpan({ createdAt, expiresAt }: ListedApiKey, now: Date): { readonly expiresAt?: Date } {
  if (expiresAt === null) return {};
  const span = new Date(expiresAt).getTime() - new Date(createdAt).getTime();
  return { expiresAt: new Date(now.getTime() + span) };
}

type StepProps = { readonly old: ListedApiKey; readonly onClose: () => void };

function First({ old, make, onClose }: StepProps & { readonly make: MakeKey }): JSX.Element {
  const now = useNow(10_000);
  return (
    <>
      <p className="text-sm">
        A new key called <Text className="font-semibold">{old.name}</Text> is created with the same lifetime.
        Both keys work until you revoke the old one in the next step.
      </p>
      {make.error === null ? null : <ProblemNotice title="Couldn’t create the key" error={make.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          isBusy={make.isPending}
          onClick={() => {
            make.mutate({ name: old.name, ...sameSpan(old, now) });
          }}
        >
          Create new key
        </Button>
      </DialogButtons>
    </>
  );
}

function Second({ old, secret, onClose }: StepProps & { readonly secret: string }): JSX.Element {
  const [isInPlace, setInPlace] = useState(false);
  const revoke = useRevokeKey(old, onClose);
  return (
    <>
      <Secret value={secret} />
      <Checkbox isChecked={isInPlace} onChange={setInPlace}>
        My program uses the new key.
      </Checkbox>
      {revoke.error === null ? null : (
        <ProblemNotice title="Couldn’t revoke the old key" error={revoke.error} />
      )}
      <DialogButtons>
        <Button onClick={onClose}>Keep both for now</Button>
        <Button
          look="danger"
          disabled={!isInPlace}
          isBusy={revoke.isPending}
          onClick={() => {
            revoke.mutate();
          }}
        >
          Revoke old key
        </Button>
      </DialogButtons>
    </>
  );
}

/** Replaces a key without downtime: the old one works until the owner revokes it. */
export function RotateKey({ old, isOpen, onClose }: StepProps & { readonly isOpen: boolean }): JSX.Element {
  const make = useMakeKey();
  const close = (): void => {
    make.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} title={make.isSuccess ? "Your new key" : "Rotate this key?"} onClose={close}>
      {make.isSuccess ? (
        <Second old={old} secret={make.data.secret} onClose={close} />
      ) : (
        <First old={old} make={make} onClose={close} />
      )}
    </Dialog>
  );
}
