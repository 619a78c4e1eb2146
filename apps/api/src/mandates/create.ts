import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import { hashMandate, mandateTypedData, type Hex, type WireDomain } from "@countersign/wire";
import type { Account } from "../accounts/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { mandateErrors } from "./errors.ts";
import type { MandateRequestStore } from "./store/requests.ts";
import type { Mandate, MandateStore } from "./store/mandates.ts";
import { isPeriodAllowed, type Terms } from "./terms.ts";

type Parts = {
  readonly store: Pick<MandateStore, "add">;
  readonly requests: Pick<MandateRequestStore, "close">;
  readonly wallets: Pick<LimitedWallets, "verifyTypedData">;
  readonly hasAgent: (account: Account, agent: string) => Promise<boolean>;
  readonly domain: WireDomain;
  readonly clock: Clock;
};

type Signed = {
  readonly terms: Terms;
  readonly signature: Hex;
  /** The agent's request that it answers. */
  readonly requestId: string | undefined;
  readonly ip: string;
};

/** Checks that depend on the terms alone. */
function checkTerms(terms: Terms, account: Account, { domain, clock }: Parts): void {
  if (terms.account !== account) throw mandateErrors.otherAccount();
  if (terms.homeChainId !== domain.chainId || terms.inbox !== domain.inbox.toLowerCase())
    throw mandateErrors.otherInstallation();
  if (!isPeriodAllowed(terms) || terms.validUntil * 1000 <= clock.now().getTime())
    throw mandateErrors.periodNotAllowed();
}

/** Stores a mandate that the account's wallet signed. The session alone grants nothing. */
export const makeCreateMandate = (parts: Parts) =>
  async function createMandate(
    account: Account,
    { terms, signature, requestId, ip }: Signed,
  ): Promise<Mandate> {
    checkTerms(terms, account, parts);
    if (!(await parts.hasAgent(account, terms.agent))) throw mandateErrors.agentUnknown();
    const typedData = mandateTypedData(terms);
    const signed = { address: account, typedData, signature, chainId: terms.homeChainId, ip };
    const verdict = await parts.wallets.verifyTypedData(signed);
    if (verdict === "unavailable") throw mandateErrors.walletUnavailable();
    if (verdict === "invalid") throw mandateErrors.wrongSignature();
    const made = await parts.store.add({ id: newId(), digest: hashMandate(terms), terms, signature });
    if (requestId !== undefined) await parts.requests.close(requestId, account, undefined);
    return made;
  };
