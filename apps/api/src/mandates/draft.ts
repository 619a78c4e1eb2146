import { randomBytes } from "node:crypto";
import type { Clock } from "@countersign/platform/clock";
import { hashMandate, mandateTypedData, type Hex, type WireDomain } from "@countersign/wire";
import type { Account } from "../accounts/index.ts";
import { typedDataJson } from "../platform/typed-data-json.ts";
import { mandateErrors } from "./errors.ts";
import { isPeriodAllowed, type Draft, type Terms } from "./terms.ts";

type Parts = {
  readonly domain: WireDomain;
  readonly clock: Clock;
  readonly hasAgent: (account: Account, agent: string) => Promise<boolean>;
};

export type Drafted = {
  readonly terms: Terms;
  readonly typedData: Record<string, unknown>;
  readonly digest: Hex;
};

/** Completes a draft with account, installation and nonce. Stores nothing. */
export const makeDraftMandate =
  ({ domain, clock, hasAgent }: Parts) =>
  async (account: Account, draft: Draft): Promise<Drafted> => {
    const now = Math.floor(clock.now().getTime() / 1000);
    const { validFrom = now, validUntil, ...rest } = draft;
    if (!isPeriodAllowed({ validFrom, validUntil }) || validUntil <= now)
      throw mandateErrors.periodNotAllowed();
    // For a misspelt agent nothing would be limited.
    if (!(await hasAgent(account, draft.agent))) throw mandateErrors.agentUnknown();
    const nonce: Hex = `0x${randomBytes(32).toString("hex")}`;
    const inbox = domain.inbox.toLowerCase() as Hex;
    const terms = { account, homeChainId: domain.chainId, inbox, ...rest, validFrom, validUntil, nonce };
    return { terms, typedData: typedDataJson(mandateTypedData(terms)), digest: hashMandate(terms) };
  };
