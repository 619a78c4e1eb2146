// What the arbiter adds after its verdict: that an enclave ran it, and how the execution was settled.
import { isDeepStrictEqual } from "node:util";
import type { Door } from "./door.ts";
import { transactionErrors } from "./errors.ts";
import type { Metadata, Rule, TransactionStore } from "./store/index.ts";
import type { Hex } from "./transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "inTransaction" | "readMetadata" | "writeMetadata">;
  readonly door: Door;
};

export type Members = Readonly<Record<string, unknown>>;

/** Also of all that was added over time. */
export const mostBytes = 64 * 1024;

/** What is there stays as it is; what is new is added. */
function merge(kept: Members | null, added: Members): Members {
  // As it will be read back: a negative zero, for one, does not stay one.
  const members = JSON.parse(JSON.stringify(added)) as Members;
  for (const [name, value] of Object.entries(members))
    if (kept !== null && Object.hasOwn(kept, name) && !isDeepStrictEqual(kept[name], value))
      throw transactionErrors.alreadySet();
  const merged = { ...kept, ...members };
  if (Buffer.byteLength(JSON.stringify(merged)) > mostBytes) throw transactionErrors.metadataTooLarge();
  return merged;
}

export type Attest = {
  /** Kept as it came. There is no root to check it against yet, and so nothing is said of what it proves. */
  readonly keepTeeProof: (requestHash: Hex, added: Members) => Promise<void>;
  readonly keepSettlement: (requestHash: Hex, added: Members) => Promise<void>;
  /** For a settlement that we were told of before we had seen the execution ourselves. */
  readonly settleIfTold: (requestHash: Hex) => Promise<void>;
};

const leave: Rule = () => undefined;
/** Only what is executed for good is settled by it; before that it is kept, and nothing else happens. */
const settle: Rule = () => ({ events: ["settleExecution"] });

export const makeAttest = ({ store, door }: Parts): Attest => {
  /** The rule's change and the metadata, together or not at all. The change locks the transaction first. */
  const keep = async (requestHash: Hex, rule: Rule, add: (kept: Metadata) => Metadata): Promise<void> => {
    const changed = await store.inTransaction(async (tx) => {
      const done = await door.changeWithin(tx, { requestHash }, rule);
      if (done === undefined) throw transactionErrors.notFound();
      await store.writeMetadata(tx, done.after, add(await store.readMetadata(done.after.id, tx)));
      return done;
    });
    await door.announce(changed);
  };

  return {
    keepTeeProof: (requestHash, added) =>
      keep(requestHash, leave, (kept) => ({ ...kept, teeProof: merge(kept.teeProof, added) })),

    keepSettlement: (requestHash, added) =>
      keep(requestHash, settle, (kept) => ({ ...kept, settlement: merge(kept.settlement, added) })),

    settleIfTold: async (requestHash) => {
      const transaction = await store.find(requestHash);
      if (transaction === undefined) throw transactionErrors.notFound();
      const { settlement } = await store.readMetadata(transaction.id);
      if (settlement !== null) await door.change({ requestHash }, settle);
    },
  };
};
