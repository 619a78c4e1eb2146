import type { Contact } from "@countersign/sdk";
import { useState, type JSX, type ReactNode, type SubmitEvent } from "react";
import { api } from "../lib/api.ts";
import { useContactChange } from "../lib/contacts.ts";
import { isAddress } from "../lib/format.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Hex } from "./hex.tsx";
import { ProblemNotice } from "./notice.tsx";

/** The address to name. Undefined if the owner enters it. */
export type Naming = {
  readonly address?: string;
  readonly contact?: Contact | null;
  /** Shown before the name. */
  readonly warning?: ReactNode;
};

type Props = Naming & { readonly isOpen: boolean; readonly onClose: () => void };

/** Adds or changes a contact. Closes once the service has confirmed it. */
export function ContactDialog(props: Props): JSX.Element {
  const { isOpen, onClose, contact } = props;
  return (
    <Dialog
      isOpen={isOpen}
      title={contact == null ? "Add to address book" : "Edit contact"}
      onClose={onClose}
    >
      <Form {...props} />
    </Dialog>
  );
}

function Form({ address: given, contact, warning, onClose }: Props): JSX.Element {
  const [address, setAddress] = useState(given ?? "");
  const [name, setName] = useState(contact?.name ?? "");
  const [note, setNote] = useState(contact?.note ?? "");
  const save = useContactChange(
    () => api.contacts.save({ address, name, note: note.trim() === "" ? null : note }),
    onClose,
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const isWrong = address !== "" && !isAddress(address);
  return (
    <form onSubmit={submit} className="flex flex-1 flex-col gap-4">
      {given === undefined ? (
        <Field
          label="Address"
          mono
          required
          autoComplete="off"
          spellCheck={false}
          value={address}
          problem={isWrong ? "An address has 0x and 40 digits." : undefined}
          onChange={({ target }) => {
            setAddress(target.value.trim());
          }}
        />
      ) : (
        <div>
          <p className="text-sm font-semibold">Address</p>
          <Hex value={given} label="address" full />
        </div>
      )}
      {warning}
      <Field
        label="Name"
        required
        maxLength={60}
        autoComplete="off"
        hint="Only you see it. It’s for display: no check depends on it."
        value={name}
        onChange={({ target }) => {
          setName(target.value);
        }}
      />
      <Field
        label="Note (optional)"
        maxLength={200}
        autoComplete="off"
        value={note}
        onChange={({ target }) => {
          setNote(target.value);
        }}
      />
      {save.error === null ? null : <ProblemNotice title="Couldn’t save the contact" error={save.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          type="submit"
          isBusy={save.isPending}
          disabled={name.trim() === "" || !isAddress(address)}
        >
          Save
        </Button>
      </DialogButtons>
    </form>
  );
}
