import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { custodyErrors } from "./errors.ts";
import type { Integration, IntegrationType } from "./integration.ts";
import { makeCsr, type KeyPair } from "./make-csr.ts";
import { keyPurpose } from "./open-access.ts";
import type { CustodyStore } from "./store.ts";
import type { Subject } from "./subject.ts";

type Parts = {
  readonly store: CustodyStore;
  readonly secrets: Pick<SecretStore, "save" | "retire">;
  readonly makeKey: () => Promise<KeyPair>;
};

type Request = {
  readonly account: Account;
  readonly type: IntegrationType;
  readonly subject: Subject;
  /** Whether it may replace an existing integration. */
  readonly recreate: boolean;
};

/**
 * Creates a key and its CSR. A replaced integration keeps its secrets, because the status of its orders is
 * queried with them.
 */
export const makeRequestCsr = ({ store, secrets, makeKey }: Parts) =>
  async function requestCsr({ account, type, subject, recreate }: Request): Promise<Integration> {
    const former = await store.find({ account, type });
    if (former !== undefined && !recreate) throw custodyErrors.exists();
    // Before any transaction: it takes a second, during which no row should be locked.
    const keys = await makeKey();
    const csr = await makeCsr(subject, keys);
    const keySecretId = await secrets.save({
      purpose: keyPurpose,
      value: keys.privateKey.export({ format: "der", type: "pkcs8" }),
    });
    const added = await store.add({ id: newId(), account, type, csr, keySecretId }, former?.id);
    if (added !== undefined) return added;
    await secrets.retire(keySecretId);
    throw custodyErrors.exists();
  };
