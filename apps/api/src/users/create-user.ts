import { newId } from "@countersign/platform/ids";
import type { Account, AccountStore, User, Within } from "../accounts/index.ts";
import { userErrors } from "./errors.ts";
import { mayCreate, type Visitor } from "./visitor.ts";

type NewUser = { readonly account: Account; readonly pgpPublicKey: string | undefined };

/**
 * Creates a user, within the given transaction if there is one. A caller without permission does not learn
 * whether the user exists.
 */
export const makeCreateUser = ({ accounts }: { readonly accounts: Pick<AccountStore, "ensure"> }) =>
  async function createUser({ account, pgpPublicKey }: NewUser, by: Visitor, tx?: Within): Promise<User> {
    if (!mayCreate(by, account)) throw userErrors.notYours();
    // Rejected, not ignored: a client that sent a key would expect answers encrypted to it.
    if (pgpPublicKey !== undefined) throw userErrors.pgpNotTaken();
    const id = newId();
    const user = await accounts.ensure(account, id, tx);
    // Another id means that the user already existed, or that a concurrent request created it first.
    if (user.id !== id) throw userErrors.exists();
    return user;
  };
