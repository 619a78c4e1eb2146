import type { Contact } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { ContactDialog, type Naming } from "../../components/contact-dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Hex } from "../../components/hex.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { api } from "../../lib/api.ts";
import { contactsQuery, useContactChange } from "../../lib/contacts.ts";
import { counted } from "../../lib/format.ts";

/** From here on the list has a search. */
const searchedFrom = 8;
const shownAtMost = 50;

const matches = ({ name, address, note }: Contact, wanted: string): boolean =>
  [name, address, note ?? ""].some((text) => text.toLowerCase().includes(wanted.toLowerCase().trim()));

type RowProps = { readonly contact: Contact; readonly onEdit: () => void };

function Row({ contact, onEdit }: RowProps): JSX.Element {
  const { address, name, note } = contact;
  const [isOpen, setOpen] = useState(false);
  const remove = useContactChange(() => api.contacts.remove(address));
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold">
          <Text>{name}</Text>
        </p>
        <Hex value={address} label={`address of ${name}`} />
        {note === null ? null : (
          <p className="text-sm text-soft">
            <Text>{note}</Text>
          </p>
        )}
      </div>
      <div className="flex gap-2">
        <Button aria-label={`Edit contact ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          aria-label={`Delete contact ${name}`}
          onClick={() => {
            setOpen(true);
          }}
        >
          Delete
        </Button>
      </div>
      <Confirm
        isOpen={isOpen}
        title="Delete this contact?"
        action="Delete contact"
        doing={{
          ...remove,
          mutate: () => {
            remove.mutate(undefined);
          },
        }}
        onClose={() => {
          setOpen(false);
        }}
      >
        <p>
          <Text>{name}</Text>
        </p>
        <Hex value={address} label="address" full />
        <p>Its name disappears from your transactions. Nothing else changes.</p>
      </Confirm>
    </li>
  );
}

type ListProps = { readonly contacts: readonly Contact[]; readonly onEdit: (contact: Contact) => void };

function List({ contacts, onEdit }: ListProps): JSX.Element {
  const [wanted, setWanted] = useState("");
  const found = contacts.filter((contact) => matches(contact, wanted));
  const shown = found.slice(0, shownAtMost);
  if (contacts.length === 0)
    return <p className="text-sm text-soft">No contacts yet. Add one here, or from a transaction.</p>;
  return (
    <>
      {contacts.length < searchedFrom ? null : (
        <Field
          label="Search contacts"
          type="search"
          value={wanted}
          onChange={({ target }) => {
            setWanted(target.value);
          }}
        />
      )}
      <ul className="divide-y divide-line">
        {shown.map((contact) => (
          <Row
            key={contact.address}
            contact={contact}
            onEdit={() => {
              onEdit(contact);
            }}
          />
        ))}
      </ul>
      <p role="status" className="text-sm text-soft">
        {found.length === shown.length
          ? counted(found.length, "contact")
          : `${shown.length} of ${counted(found.length, "contact")}. Search to see others.`}
      </p>
    </>
  );
}

/** The owner's names for addresses. */
export function AddressBook(): JSX.Element {
  const { data, error, isPending } = useQuery(contactsQuery);
  const [naming, setNaming] = useState<Naming>();
  if (isPending) return <Loading what="your address book" lines={2} />;
  return (
    <Card
      title="Address book"
      aside={
        <Button
          onClick={() => {
            setNaming({});
          }}
        >
          Add contact
        </Button>
      }
    >
      <p className="mb-3 text-sm text-soft">
        Your names for addresses. Agents can’t see or change them, and no check depends on them.
      </p>
      {error === null ? null : <ProblemNotice title="Couldn’t load your contacts" error={error} />}
      {data === undefined ? null : (
        <List
          contacts={data}
          onEdit={(contact) => {
            setNaming({ address: contact.address, contact });
          }}
        />
      )}
      {naming === undefined ? null : (
        <ContactDialog
          {...naming}
          isOpen
          onClose={() => {
            setNaming(undefined);
          }}
        />
      )}
    </Card>
  );
}
