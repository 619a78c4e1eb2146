// The owner's address book: names for addresses, which only the owner sees.
import type { Contact } from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

/** A contact to save. `name`: at most 60 visible characters. `note`: at most 200; omitted or null removes it. */
export type ContactDraft = Pick<Contact, "address" | "name"> & { readonly note?: string | null };

/** Calls about the address book. All need a session. No verdict and no decision depends on it. */
export type Contacts = {
  /** Lists the contacts by name. */
  readonly list: (options?: RequestOptions) => Promise<readonly Contact[]>;
  /**
   * Adds the contact of an address, or replaces its name and note. Rejects with a ConflictError if another contact has
   * the name, or the address book is full.
   *
   * @example
   * await owner.contacts.save({ address: "0x742d35Cc6634C0532925a3b844Bc454e4438f44e", name: "Alice" });
   */
  readonly save: (contact: ContactDraft, options?: RequestOptions) => Promise<Contact>;
  /** Deletes the contact of an address. Rejects with a NotFoundError if it has none. */
  readonly remove: (address: string, options?: RequestOptions) => Promise<void>;
};

export function makeContacts(http: Http): Contacts {
  const pathOf = (address: string): string => `/contacts/${encodeURIComponent(address)}`;
  return {
    list: async (asked = {}) => (await http<readonly Contact[]>("/contacts", asked)).body,
    save: async ({ address, ...body }, asked = {}) =>
      (await http<Contact>(pathOf(address), { ...asked, method: "PUT", body })).body,
    remove: async (address, asked = {}) => {
      await http(pathOf(address), { ...asked, method: "DELETE" });
    },
  };
}
