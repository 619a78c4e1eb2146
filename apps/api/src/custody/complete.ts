import type { Log } from "@countersign/platform/log";
import type { Account } from "../accounts/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { custodyErrors } from "./errors.ts";
import type { Completion, Integration, IntegrationType } from "./integration.ts";
import type { makeLearnWallet } from "./learn-wallet.ts";
import { credentialPurpose } from "./open-access.ts";
import type { CustodyStore } from "./store.ts";

type Parts = {
  readonly store: CustodyStore;
  readonly secrets: Pick<SecretStore, "save" | "retire">;
  readonly learnWallet: ReturnType<typeof makeLearnWallet>;
  readonly log: Log;
};

type Given = Omit<Completion, "credentialSecretId"> & {
  readonly apiKey: string;
  /** Undefined leaves it unchanged, null removes it. */
  readonly cosignerPublicKey: string | null | undefined;
};

/** Stores the credential that the custodian issued for the CSR, or a later one. */
export function makeComplete({ store, secrets, learnWallet, log }: Parts) {
  const save = async (place: { account: Account; type: IntegrationType }, { apiKey, ...given }: Given) => {
    if ((await store.find(place)) === undefined) throw custodyErrors.noIntegration();
    const value = Buffer.from(apiKey, "utf8");
    const credentialSecretId = await secrets.save({ purpose: credentialPurpose, value });
    const saved = await store.complete(place, { ...given, credentialSecretId });
    if (saved === undefined) {
      await secrets.retire(credentialSecretId);
      throw custodyErrors.noIntegration();
    }
    if (saved.formerSecretId !== null) await secrets.retire(saved.formerSecretId);
    return saved.completed;
  };

  return async function complete(
    account: Account,
    type: IntegrationType,
    given: Given,
  ): Promise<Integration> {
    const completed = await save({ account, type }, given);
    // The credential is stored in any case: the owner can ask again with validate.
    const learned = await learnWallet(completed);
    if (learned !== "good")
      log.info("custody integration has no wallet yet", { key: completed.id, reason: learned });
    return (await store.find({ account, type })) ?? completed;
  };
}
