// Metadata that the verification service adds after its verdict: the enclave's proof, and how the execution was
// settled.
import { isDeepStrictEqual } from "node:util";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import type { Metadata, Rule, TransactionStore } from "../store/index.ts";
import type { Hex } from "../transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "inTransaction" | "readMetadata" | "writeMetadata">;
  readonly transition: Transition;
};

export type Members = Readonly<Record<string, unknown>>;

/** The limit for all members together, over time. */
export const mostBytes = 64 * 1024;

/** The only allowed change of a stored member: a pending settlement becomes final. */
const becomesFinal = (name: string, from: unknown, to: unknown): boolean =>
  name === "status" && from === "pending" && to === "final";

const neverChanges = (): boolean => false;

/** Adds new members and keeps existing ones, except for a change that `mayChange` allows. */
function merge(
  kept: Members | null,
  added: Members,
  mayChange: (name: string, from: unknown, to: unknown) => boolean = neverChanges,
): Members {
  // As it will be read back: a negative zero, for example, does not survive.
  const members = JSON.parse(JSON.stringify(added)) as Members;
  for (const [name, value] of Object.entries(members))
    if (
      kept !== null &&
      Object.hasOwn(kept, name) &&
      !isDeepStrictEqual(kept[name], value) &&
      !mayChange(name, kept[name], value)
    )
      throw transactionErrors.alreadySet();
  const merged = { ...kept, ...members };
  if (Buffer.byteLength(JSON.stringify(merged)) > mostBytes) throw transactionErrors.metadataTooLarge();
  return merged;
}

export type Attest = {
  /** Stored unverified: there is no root to check it against yet, so nothing is claimed about what it proves. */
  readonly keepTeeProof: (requestHash: Hex, added: Members) => Promise<void>;
  readonly keepSettlement: (requestHash: Hex, added: Members) => Promise<void>;
  /** For a settlement that was reported before we had seen the execution. */
  readonly settleIfTold: (requestHash: Hex) => Promise<void>;
};

const leave: Rule = () => undefined;
/** Has an effect only on an executed transaction. Before that, the settlement is only stored. */
const settle: Rule = () => ({ events: ["settleExecution"] });

/** A pending settlement may still fail. */
const isSettled = ({ settlement }: Metadata): boolean =>
  settlement !== null && settlement["status"] !== "pending";

export const makeAttest = ({ store, transition }: Parts): Attest => {
  /** Stores the metadata and applies its consequences atomically. The first change locks the transaction. */
  const keep = async (requestHash: Hex, add: (kept: Metadata) => Metadata): Promise<void> => {
    const changed = await store.inTransaction(async (tx) => {
      const found = await transition.changeWithin(tx, { requestHash }, leave);
      if (found === undefined) throw transactionErrors.notFound();
      const metadata = add(await store.readMetadata(found.after.id, tx));
      await store.writeMetadata(tx, found.after, metadata);
      return isSettled(metadata) ? transition.changeWithin(tx, { requestHash }, settle) : found;
    });
    await transition.announce(changed);
  };

  return {
    keepTeeProof: (requestHash, added) =>
      keep(requestHash, (kept) => ({ ...kept, teeProof: merge(kept.teeProof, added) })),

    keepSettlement: (requestHash, added) =>
      keep(requestHash, (kept) => ({
        ...kept,
        settlement: merge(kept.settlement, added, becomesFinal),
      })),

    settleIfTold: async (requestHash) => {
      const transaction = await store.find(requestHash);
      if (transaction === undefined) throw transactionErrors.notFound();
      if (isSettled(await store.readMetadata(transaction.id)))
        await transition.change({ requestHash }, settle);
    },
  };
};
