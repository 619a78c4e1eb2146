import { z } from "zod";
import { shown } from "../accounts/index.ts";
import { roles } from "../transactions/index.ts";
import type { Contact } from "./contact.ts";
import type { Recipient, Recipients } from "./read-recipients.ts";

export const ContactView = z
  .object({
    address: z.string().meta({ description: "With its EIP-55 checksum." }),
    name: z.string(),
    note: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Contact", description: "A name that the owner gave to an address. For display only." });

export const contactView = ({
  address,
  createdAt,
  updatedAt,
  ...contact
}: Contact): z.infer<typeof ContactView> => ({
  address: shown(address),
  name: contact.name,
  note: contact.note,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const LookAlikeView = z
  .object({
    address: z.string(),
    name: z.string().nullable().meta({ description: "From the address book." }),
    executed: z.int().meta({ description: "Earlier executed transactions with it, in any role." }),
    own: z.boolean().meta({ description: "Whether it is the account's own address." }),
  })
  .meta({
    id: "LookAlike",
    description: "A known address with the same first and last four digits, and another middle.",
  });

const RecipientView = z
  .object({
    address: z.string().meta({ description: "With its EIP-55 checksum." }),
    role: z.enum(roles).meta({
      description:
        "paid: gets money. access: can take money or act as the wallet. called: the contract that is called, if no one who gets anything is known.",
    }),
    own: z.boolean().meta({ description: "Whether it is the account's own address." }),
    contact: ContactView.nullable(),
    executed: z.int().meta({
      description:
        "Earlier transactions of the account, on any chain, with this address in this role that are final.",
    }),
    byOwner: z.int().meta({ description: "Those of them that the owner approved in person." }),
    signatures: z.int().meta({
      description: "Earlier signatures for it that were handed over. Whether they were used is not known.",
    }),
    firstAt: z.iso.datetime().nullable().meta({ description: "When the first of `executed` became final." }),
    lastAt: z.iso.datetime().nullable().meta({ description: "When the last of `executed` became final." }),
    lookAlikes: z
      .array(LookAlikeView)
      .meta({ description: "Known addresses that it could be mistaken for, contacts first." }),
  })
  .meta({ id: "Recipient", description: "A party of a transaction and the account's history with it." });

export const RecipientsView = z
  .object({
    complete: z.boolean().meta({
      description: "False if others may get something too: part of it is encrypted or could not be read.",
    }),
    uncounted: z.int().meta({
      description: "Earlier executed transactions that may have paid anyone, and are counted for no address.",
    }),
    recipients: z.array(RecipientView),
  })
  .meta({ id: "Recipients", description: "The parties of a transaction: at most 200." });

const recipientView = (recipient: Recipient): z.infer<typeof RecipientView> => ({
  address: shown(recipient.address),
  role: recipient.role,
  own: recipient.isOwn,
  contact: recipient.contact === null ? null : contactView(recipient.contact),
  executed: recipient.executed,
  byOwner: recipient.byOwner,
  signatures: recipient.signatures,
  firstAt: recipient.firstAt?.toISOString() ?? null,
  lastAt: recipient.lastAt?.toISOString() ?? null,
  lookAlikes: recipient.lookAlikes.map(({ address, name, executed, isOwn }) => ({
    ...{ address: shown(address), name, executed, own: isOwn },
  })),
});

export const recipientsView = ({
  isComplete,
  uncounted,
  recipients,
}: Recipients): z.infer<typeof RecipientsView> => ({
  complete: isComplete,
  uncounted,
  recipients: recipients.map(recipientView),
});
