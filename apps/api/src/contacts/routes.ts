import { anyOf, defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import { z } from "zod";
import { EthereumAddress, shown } from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import { readRequestHash, RequestHash, transactionErrors } from "../transactions/index.ts";
import { contactsAtMost } from "./contact.ts";
import { ContactName, ContactNote } from "./contact-text.ts";
import { contactErrors } from "./errors.ts";
import type { makeReadRecipients } from "./read-recipients.ts";
import type { ContactStore } from "./store/contacts.ts";
import { ContactView, contactView, RecipientsView, recipientsView } from "./views.ts";

type Parts = {
  readonly store: ContactStore;
  readonly readRecipients: ReturnType<typeof makeReadRecipients>;
};

const auth = anyOf(jwt, signature);
const limit = [...defaultLimits, contractWalletLimit];
const tag = "Contacts";
const params = z.object({ address: EthereumAddress });

const book = ({ store }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/contacts",
    summary: "List my contacts",
    description: `The owner's address book, by name. At most ${contactsAtMost.toLocaleString("en")}.`,
    ...{ tag, limit, auth },
    replies: { 200: z.array(ContactView) },
    handle: async ({ caller: { account } }) => ok((await store.list(account)).map(contactView)),
  }),
  route({
    method: "PUT",
    path: "/contacts/{address}",
    summary: "Name an address",
    description:
      "Adds the contact or replaces its name and note. For display: no verdict and no decision depends on it. An address belongs to one contact, on all chains.",
    ...{ tag, limit, auth, params },
    body: z.object({ name: ContactName, note: ContactNote }),
    replies: { 200: ContactView },
    refuses: [contactErrors.nameTaken, contactErrors.tooMany],
    handle: async ({ params: { address }, body, caller: { account } }) => {
      const saved = await store.save(account, { address, ...body }, contactsAtMost);
      if (saved.outcome !== "saved") throw contactErrors[saved.outcome]();
      return ok(contactView(saved.contact));
    },
  }),
  route({
    method: "DELETE",
    path: "/contacts/{address}",
    summary: "Delete a contact",
    ...{ tag, limit, auth, params },
    replies: { 200: z.object({ address: z.string(), deleted: z.literal(true) }) },
    refuses: [contactErrors.notFound],
    handle: async ({ params: { address }, caller: { account } }) => {
      if (!(await store.remove(account, address))) throw contactErrors.notFound();
      return ok({ address: shown(address), deleted: true as const });
    },
  }),
];

const recipients = ({ readRecipients }: Parts): Route =>
  route({
    method: "GET",
    path: "/transactions/{requestHash}/recipients",
    summary: "Get the recipients of a transaction",
    description:
      "Who it pays or gives access to, with their names in the address book, the account's history with them, and known addresses that look alike. From the stored report, else from the calldata.",
    ...{ tag, limit, auth },
    params: z.object({ requestHash: RequestHash }),
    replies: { 200: RecipientsView },
    refuses: [transactionErrors.notFound],
    handle: async ({ params: { requestHash }, caller }) =>
      ok(recipientsView(await readRecipients(readRequestHash(requestHash), caller))),
  });

/** For the owner in person: agents neither read nor write the names that their owner trusts. */
export const contactRoutes = (parts: Parts): readonly Route[] => [...book(parts), recipients(parts)];
