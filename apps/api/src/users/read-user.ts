import type { Account, AccountStore, User } from "../accounts/index.ts";
import { userErrors } from "./errors.ts";
import { maySeeAll, type Visitor } from "./visitor.ts";

type Pgp = { readonly registered: boolean; readonly fingerprint: string | null };

type Parts = {
  readonly accounts: Pick<AccountStore, "find">;
  readonly findPgpKey: (account: Account) => Promise<{ readonly fingerprint: string } | undefined>;
};

/** Returns the user. Only the owner and server keys see the private members. */
export const makeReadUser = ({ accounts, findPgpKey }: Parts) =>
  async function readUser(account: Account, by: Visitor): Promise<User & { readonly pgp?: Pgp }> {
    const user = await accounts.find(account);
    if (user === undefined) throw userErrors.notFound();
    if (!maySeeAll(by, account)) return user;
    const key = await findPgpKey(account);
    return { ...user, pgp: { registered: key !== undefined, fingerprint: key?.fingerprint ?? null } };
  };
