import type { Hex } from "@countersign/wire";
import { isId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import type { Access, Custodian } from "../adapters/custodian/index.ts";
import type { Sender } from "../adapters/sender.ts";
import { isCompleted, type Completed, type IntegrationType } from "./integration.ts";
import type { CustodyStore } from "./store.ts";

type Parts = {
  readonly store: CustodyStore;
  readonly custodian: Pick<Custodian, "openSender">;
  readonly openAccess: (integration: Completed) => Promise<Access>;
};

/** The facts that the co-signer's endpoint needs. */
type ForCosigner = {
  readonly id: string;
  readonly account: Account;
  readonly wallet: Hex | null;
  readonly vaultAccountId: string;
  /** SPKI in PEM. Null if no co-signer key was set, so no request can be trusted. */
  readonly cosignerPublicKey: string | null;
};

/** Access to custodians for other slices. */
export type CustodySenders = {
  /** Returns the integration for sending from that wallet. Undefined if no active integration of that type has it. */
  readonly findIntegration: (where: {
    readonly account: Account;
    readonly wallet: Hex;
    readonly type: IntegrationType;
  }) => Promise<{ readonly id: string } | undefined>;
  /**
   * For sending, only while the integration is current (otherwise undefined). For status queries, also after
   * it was replaced.
   */
  readonly openSender: (id: string, purpose: "send" | "ask") => Promise<Sender | undefined>;
  /** Undefined unless the integration is current and completed. */
  readonly findForCosigner: (id: string) => Promise<ForCosigner | undefined>;
};

export function makeCustodySenders({ store, custodian, openAccess }: Parts): CustodySenders {
  const findCompleted = async (id: string, purpose: "send" | "ask"): Promise<Completed | undefined> => {
    const found = isId(id) ? await store.findById(id) : undefined;
    if (found === undefined || !isCompleted(found.integration)) return undefined;
    return found.isCurrent || purpose === "ask" ? found.integration : undefined;
  };
  return {
    findIntegration: ({ wallet, ...place }) =>
      store.findByWallet({ ...place, wallet: wallet.toLowerCase() as Account }),

    openSender: async (id, purpose) => {
      const integration = await findCompleted(id, purpose);
      return integration && custodian.openSender(await openAccess(integration));
    },

    findForCosigner: async (id) => {
      const integration = await findCompleted(id, "send");
      if (integration === undefined) return undefined;
      const { account, wallet, cosignerPublicKey, completion } = integration;
      return { id, account, wallet, vaultAccountId: completion.vaultAccountId, cosignerPublicKey };
    },
  };
}
