import { randomBytes } from "node:crypto";
import type { Account } from "../accounts/index.ts";
import { askedFromOf } from "./asked-from.ts";
import type { SignInStore } from "./store.ts";

const lifeSeconds = 5 * 60;

/** Creates a challenge for one address: 32 hexadecimal characters, valid once, for five minutes. */
export const makeIssueNonce =
  ({ store }: { readonly store: Pick<SignInStore, "addNonce"> }) =>
  async (account: Account, network: string): Promise<{ readonly nonce: string }> => {
    const nonce = randomBytes(16).toString("hex");
    await store.addNonce({ nonce, account, askedFrom: askedFromOf(account, network), lifeSeconds });
    return { nonce };
  };
