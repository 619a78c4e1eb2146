import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import { hashMandate, mandateTypedData, type Hex, type WireDomain } from "@countersign/wire";
import type { Account } from "../accounts/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import type { EndMandate } from "./end.ts";
import { mandateErrors } from "./errors.ts";
import type { MandateRequestStore } from "./store/requests.ts";
import type { Mandate, MandateStore, NewMandate } from "./store/mandates.ts";
import { isPeriodAllowed, type Terms } from "./terms.ts";

type Parts = {
  readonly store: Pick<MandateStore, "add" | "find">;
  readonly endMandate: EndMandate;
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
  /** The mandate that ends in the same step. */
  readonly replaces: string | undefined;
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

/** Returns the mandate that a new one replaces. Ended ones and other agents' are refused. */
async function findReplaced({ store }: Parts, id: string, { account, agent }: Terms): Promise<Mandate> {
  const found = await store.find(id);
  const isLive = found?.status === "ACTIVE" || found?.status === "SCHEDULED";
  if (found?.account !== account || found.agent !== agent || !isLive) throw mandateErrors.notReplaceable();
  return found;
}

/** Stores the mandate. One that it replaces ends in the same database transaction. */
async function add(parts: Parts, made: NewMandate, replaced: Mandate | undefined): Promise<void> {
  if (replaced === undefined) await parts.store.add(made);
  else
    await parts.endMandate(replaced, {
      before: async (tx) => {
        await parts.store.add(made, tx);
      },
    });
}

/** Stores a mandate that the account's wallet signed and returns its id. The session alone grants nothing. */
export const makeCreateMandate = (parts: Parts) =>
  async function createMandate(
    account: Account,
    { terms, signature, requestId, replaces, ip }: Signed,
  ): Promise<string> {
    checkTerms(terms, account, parts);
    if (!(await parts.hasAgent(account, terms.agent))) throw mandateErrors.agentUnknown();
    const replaced = replaces === undefined ? undefined : await findReplaced(parts, replaces, terms);
    const typedData = mandateTypedData(terms);
    const signed = { address: account, typedData, signature, chainId: terms.homeChainId, ip };
    const verdict = await parts.wallets.verifyTypedData(signed);
    if (verdict === "unavailable") throw mandateErrors.walletUnavailable();
    if (verdict === "invalid") throw mandateErrors.wrongSignature();
    const id = newId();
    await add(parts, { id, digest: hashMandate(terms), terms, signature }, replaced);
    if (requestId !== undefined) await parts.requests.close(requestId, account, undefined);
    return id;
  };
