// Checks whether the owner signed the intent. Otherwise it is only the agent's claim.
import type { Clock } from "@countersign/platform/clock";
import { intentTypedData } from "@countersign/wire";
import type { Account } from "../../accounts/index.ts";
import type { LimitedWallets } from "../../adapters/wallets/index.ts";
import { transactionErrors } from "../errors.ts";
import { unixSeconds } from "../record/seal.ts";
import type { Extras } from "../transaction.ts";

type Parts = { readonly wallets: Pick<LimitedWallets, "verifyTypedData">; readonly clock: Clock };

type SignedIntent = {
  readonly account: Account;
  readonly text: string;
  readonly chainId: number;
  readonly intentSignature: NonNullable<Extras["intentSignature"]>;
  readonly ip: string;
};

/**
 * Throws unless the account signed exactly this intent for this chain. Recording the proposal checks that the
 * nonce is new.
 */
export const makeCheckIntent = ({ wallets, clock }: Parts) =>
  async function checkIntent({ account, text, chainId, intentSignature, ip }: SignedIntent): Promise<void> {
    const { signature, nonce, expiresAt } = intentSignature;
    if (expiresAt <= unixSeconds(clock.now())) throw transactionErrors.intentExpired();
    const typedData = intentTypedData({ account, text, chainId, nonce, expiresAt });
    const verdict = await wallets.verifyTypedData({ address: account, typedData, signature, chainId, ip });
    if (verdict === "unavailable") throw transactionErrors.walletUnavailable();
    if (verdict === "invalid") throw transactionErrors.intentInvalid();
  };
