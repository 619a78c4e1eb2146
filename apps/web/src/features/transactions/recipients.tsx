import type { Recipient, Recipients as Answer, TransactionView } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { recipientsQuery } from "../../lib/contacts.ts";
import { counted } from "../../lib/format.ts";
import { historyLine, knownAs } from "../../lib/recipients.ts";

const ContactDialog = lazy(async () => ({
  default: (await import("../../components/contact-dialog.tsx")).ContactDialog,
}));

type OfIt = { readonly transaction: TransactionView };

type NoticeProps = {
  readonly recipient: Pick<Recipient, "address" | "lookAlikes">;
  /** Announces the warning to screen readers. */
  readonly live?: "assertive";
};

/** Warns that an address could be mistaken for one that the owner knows. */
function LookAlikeNotice({ recipient, live }: NoticeProps): JSX.Element | null {
  const { address, lookAlikes } = recipient;
  if (lookAlikes.length === 0) return null;
  return (
    <Notice
      tone="bad"
      title="This address looks like one that you know, but it’s a different one"
      {...(live === undefined ? {} : { live })}
    >
      <p>Scammers create such addresses. Compare every character.</p>
      <dl className="mt-2 space-y-1">
        <dt className="text-sm text-soft">In this transaction</dt>
        <dd>
          <Hex value={address} label="address in this transaction" full />
        </dd>
        {lookAlikes.map((known) => (
          <div key={known.address}>
            <dt className="text-sm text-soft">
              It looks like <Text>{knownAs(known)}</Text>
            </dt>
            <dd>
              <Hex value={known.address} label="address that you know" full />
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}

/** Warnings about addresses that could be mistaken for known ones. Shown before everything else. */
export function LookAlikeWarnings({ transaction }: OfIt): JSX.Element {
  const { data } = useQuery(recipientsQuery(transaction));
  return (
    <>
      {data?.recipients.map((recipient) => (
        <LookAlikeNotice
          key={`${recipient.role} ${recipient.address}`}
          recipient={recipient}
          live="assertive"
        />
      ))}
    </>
  );
}

/** Who is paid: the owner's name for each address, and the account's history with it. */
export function Recipients({ transaction }: OfIt): JSX.Element | null {
  const { data, error } = useQuery(recipientsQuery(transaction));
  if (data === undefined && error === null) return null;
  const title = data?.recipients.length === 1 ? "Recipient" : "Recipients";
  return (
    <Card title={title}>
      {data === undefined ? (
        <ProblemNotice title="Couldn’t load what you paid before" error={error} />
      ) : (
        <>
          <ul className="divide-y divide-line">
            {data.recipients.map((recipient) => (
              <Row
                key={`${recipient.role} ${recipient.address}`}
                recipient={recipient}
                uncounted={data.uncounted}
              />
            ))}
          </ul>
          <Unknown {...data} />
        </>
      )}
    </Card>
  );
}

/** Says what the list leaves open. */
function Unknown({ complete, uncounted, recipients }: Answer): JSX.Element | null {
  const lines = [
    complete
      ? []
      : recipients.length === 0
        ? ["We don’t know who is paid: it’s encrypted or can’t be read."]
        : ["Others may be paid too: part of it is encrypted or can’t be read."],
    uncounted === 0
      ? []
      : [`Not counted: ${counted(uncounted, "earlier transaction")} that we couldn’t read completely.`],
  ].flat();
  if (lines.length === 0) return null;
  return <p className="mt-2 text-sm text-soft">{lines.join(" ")}</p>;
}

const lacksName = {
  paid: "Not in your address book",
  access: "Gets access",
  called: "Contract called",
} as const;

function Standing({ recipient }: { readonly recipient: Recipient }): JSX.Element | null {
  const { contact, own, executed, lookAlikes } = recipient;
  if (lookAlikes.length > 0) return <Badge tone="bad">Look-alike</Badge>;
  if (own || contact !== null) return <Badge tone="good">Known</Badge>;
  return executed === 0 ? <Badge tone="open">New</Badge> : null;
}

type RowProps = { readonly recipient: Recipient; readonly uncounted: number };

function Row({ recipient, uncounted }: RowProps): JSX.Element {
  const { address, role, own, contact } = recipient;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2 first:pt-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <strong className={contact === null && !own ? "font-semibold text-soft" : "font-semibold"}>
            {contact === null ? own ? "Your wallet" : lacksName[role] : <Text>{contact.name}</Text>}
          </strong>
          <Hex value={address} label="recipient" />
          <Standing recipient={recipient} />
        </p>
        <p className="text-sm text-soft">
          {contact === null ? "" : "In your address book. "}
          {historyLine(recipient, uncounted)}
        </p>
        {contact?.note == null ? null : (
          <p className="text-sm">
            <Text>{contact.note}</Text>
          </p>
        )}
      </div>
      {own ? null : <NameButton recipient={recipient} />}
    </li>
  );
}

function NameButton({ recipient }: Pick<RowProps, "recipient">): JSX.Element {
  const { address, contact } = recipient;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        aria-label={contact === null ? `Add ${address} to address book` : `Edit contact ${contact.name}`}
        onClick={() => {
          setOpen(true);
        }}
      >
        {contact === null ? "Add to address book" : "Edit"}
      </Button>
      {isOpen ? (
        <Suspense>
          <ContactDialog
            {...{ isOpen, address, contact }}
            warning={<LookAlikeNotice recipient={recipient} />}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
