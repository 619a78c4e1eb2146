import type { Account } from "../accounts/index.ts";
import { isCompleted, type IntegrationType } from "./integration.ts";
import type { Learned, makeLearnWallet } from "./learn-wallet.ts";
import type { CustodyStore } from "./store.ts";

type Parts = { readonly store: CustodyStore; readonly learnWallet: ReturnType<typeof makeLearnWallet> };

export type Validity = { readonly valid: boolean; readonly reason: string | null };

// Our own wording. The custodian's texts are not passed on.
const reasons: Readonly<Record<Exclude<Learned, "good">, string>> = {
  refused: "The custodian refused the credential",
  "no such vault": "The custodian has no such vault",
  unreachable: "The custodian cannot be reached",
  "no address": "The vault has no address on a supported chain",
  "another account's": "The vault's wallet belongs to another account",
  "changed meanwhile": "The integration has changed in the meantime. Test it again.",
};

const invalid = (reason: string): Validity => ({ valid: false, reason });

/** Returns whether the account could send through its custodian and, if not, why. */
export const makeValidate = ({ store, learnWallet }: Parts) =>
  async function validate(account: Account, type: IntegrationType): Promise<Validity> {
    const integration = await store.find({ account, type });
    if (integration === undefined) return invalid("No custody integration of this type");
    if (!isCompleted(integration)) return invalid("The integration is not complete");
    const learned = await learnWallet(integration);
    return learned === "good" ? { valid: true, reason: null } : invalid(reasons[learned]);
  };
