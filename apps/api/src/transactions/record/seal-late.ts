// Encrypts proposals that were made when no verification service had a key.
import type { Clock } from "@countersign/platform/clock";
import { isTerminal } from "../lifecycle.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex } from "../transaction.ts";
import type { Transition } from "../transition.ts";
import { contentOf, seal, subjectOf } from "./seal.ts";
import type { FindService } from "./verification-service.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "readSealing">;
  readonly transition: Pick<Transition, "change">;
  readonly findService: FindService;
  readonly clock: Clock;
};

/** Returns false while there is no key. */
export type SealLate = (requestHash: Hex) => Promise<boolean>;

export const makeSealLate = ({ store, transition, findService, clock }: Parts): SealLate =>
  async function sealLate(requestHash) {
    const transaction = await store.find(requestHash);
    const sealing = await store.readSealing(requestHash);
    if (transaction === undefined || isTerminal(transaction) || sealing?.envelope !== null) return true;
    const subject = subjectOf(transaction);
    if (subject === undefined) return true;
    const service = await findService(transaction.serviceId ?? undefined);
    if (service === undefined || service.armoured === null) return false;
    const content = contentOf({ ...transaction, subject }, sealing.extras ?? {});
    const envelope = await seal(content, service.armoured, clock);
    // If another process encrypted it at the same time, the first one wins.
    await transition.change({ requestHash }, ({ contentDigest }) =>
      contentDigest === null ? { facts: { envelope, serviceId: service.id } } : undefined,
    );
    return true;
  };
