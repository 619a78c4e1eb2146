import { newId } from "@countersign/platform/ids";
import type { Account, AccountStore, User, Within } from "../accounts/index.ts";
import { userErrors } from "./errors.ts";
import { mayCreate, type Visitor } from "./visitor.ts";

type NewUser = { readonly account: Account; readonly pgpPublicKey: string | undefined };

/** Who may not create it does not learn whether it exists. Inside somebody's transaction if one is given. */
export const makeCreateUser = ({ accounts }: { readonly accounts: Pick<AccountStore, "ensure"> }) =>
  async function createUser({ account, pgpPublicKey }: NewUser, by: Visitor, tx?: Within): Promise<User> {
    if (!mayCreate(by, account)) throw userErrors.notYours();
    // Refused, not dropped: a client that gave a key would believe that its answers are sealed to it.
    if (pgpPublicKey !== undefined) throw userErrors.pgpNotTaken();
    const id = newId();
    const user = await accounts.ensure(account, id, tx);
    // Another id is that of somebody who was there before, or came at the same time and was first.
    if (user.id !== id) throw userErrors.exists();
    return user;
  };
