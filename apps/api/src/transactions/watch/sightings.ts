// Applies a sighting on the chain to a proposal, for any sender.
import type { ChainReader, Receipt } from "../../adapters/chain/index.ts";
import type { Transition } from "../transition.ts";
import { mayBeSent, type LifecycleEvent } from "../lifecycle.ts";
import type { Change, Rule } from "../store/index.ts";
import type { Execution, Hex, Transaction } from "../transaction.ts";
import type { Carried } from "./store/executions.ts";

type Parts = {
  readonly transition: Pick<Transition, "change">;
  readonly chain: Pick<ChainReader, "readReceipt" | "readHeader">;
};

/** A proposal's call in a block, and whether it succeeded there. */
export type Sighting = { readonly execution: Execution; readonly succeeded: boolean };

export type Sightings = {
  /** The call is in a block. Returns false if the proposal does not accept it: it has another, or has ended. */
  readonly see: (id: string, sighting: Sighting) => Promise<boolean>;
  /** Another call from the same wallet to the same destination. */
  readonly seeOther: (id: string) => Promise<void>;
  /** This call is in a block, and every matching proposal already has another transaction. */
  readonly seeAgain: (id: string) => Promise<void>;
  /** The transaction that the keeper names is in a block, and differs from our order. */
  readonly seeMismatch: (id: string, execution: Execution) => Promise<void>;
  /** Its block may be gone. */
  readonly lookAgain: (carried: Carried) => Promise<void>;
  /** Its block is final, if it still exists. */
  readonly finish: (carried: Carried) => Promise<void>;
};

/** Given up, but it may still turn out to have been executed. */
const isLate = ({ phase, reason }: Pick<Transaction, "phase" | "reason">): boolean =>
  phase === "LAPSED" || (phase === "FAILED" && (reason === "EXPIRED" || reason === "CUSTODY"));

const eventOf = ({ succeeded }: Sighting): LifecycleEvent => (succeeded ? "seeSuccess" : "seeRevert");

/** For a proposal that has been in no block yet. */
function seenFirst(current: Transaction, sighting: Sighting): Change | undefined {
  const facts = { execution: sighting.execution };
  // An expired proposal is not revived before the block is final. Until then only the sighting is recorded.
  if (isLate(current)) return sighting.succeeded ? { facts } : undefined;
  // A wallet's failed attempt has no effect before approval. After approval it is the outcome.
  if (!sighting.succeeded && !mayBeSent(current)) return undefined;
  // The keeper was faster than our record of the order.
  return {
    events: current.phase === "EXECUTING" ? ["broadcast", eventOf(sighting)] : [eventOf(sighting)],
    facts,
  };
}

/** For a proposal whose earlier block is gone, or whose earlier attempt failed. */
function seenElsewhere(current: Transaction, sighting: Sighting): Change {
  const facts = { execution: sighting.execution };
  if (current.phase === "CONFIRMING") {
    // A different call stays a mismatch, in whichever block it is.
    const event = current.onchain === "mismatch" ? "seeMismatch" : eventOf(sighting);
    return { events: ["reorganise", event], facts };
  }
  if (isLate(current)) return { facts: sighting.succeeded ? facts : { execution: null } };
  return { events: sighting.succeeded ? ["seeSuccess"] : [], facts };
}

/** `gone`: its previous transaction, which no longer counts. */
const takeUp =
  (sighting: Sighting, gone?: Hex): Rule =>
  (current) => {
    const { execution, final } = current;
    const { hash, blockHash } = sighting.execution;
    if (final) return undefined;
    if (execution === null) return seenFirst(current, sighting);
    if (execution.hash !== hash && execution.hash !== gone) return undefined;
    return execution.blockHash === blockHash && execution.hash === hash
      ? undefined
      : seenElsewhere(current, sighting);
  };

/** Applies the rule only while the proposal still has the transaction it was found with. */
const whileCarrying =
  ({ hash, blockHash }: Carried, rule: (current: Transaction) => Change | undefined): Rule =>
  (current) =>
    current.execution?.hash === hash && current.execution.blockHash === blockHash ? rule(current) : undefined;

/** An execution from before the approval keeps its transaction: after the approval it is looked up again. */
const takenBack = (current: Transaction): Change | undefined =>
  current.phase === "CONFIRMING" || isLate(current)
    ? { events: ["reorganise"], facts: { execution: null } }
    : undefined;

function ended(current: Transaction, { succeeded }: Receipt): Change | undefined {
  if (isLate(current)) return succeeded ? { events: ["seeLateSuccess"] } : takenBack(current);
  // An attempt before approval that turned out to have failed has no effect.
  return current.onchain === "success" && !succeeded ? takenBack(current) : { events: ["finalize"] };
}

const isTakenByAnother = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "transactions_carried_out";

/** The transaction of a proposal, and its wallet. */
type Taken = { readonly hash: Hex; readonly escrow: Hex };

const makeSee = ({ transition, chain }: Parts): Sightings["see"] => {
  const offer = async (id: string, rule: Rule): Promise<Taken | undefined> => {
    try {
      const after = (await transition.change({ id }, rule))?.after;
      return after?.execution === null || after === undefined
        ? undefined
        : { hash: after.execution.hash, escrow: after.escrow };
    } catch (error) {
      if (isTakenByAnother(error)) return undefined;
      throw error;
    }
  };
  return async (id, sighting) => {
    const { hash } = sighting.execution;
    const carries = await offer(id, takeUp(sighting));
    if (carries?.hash === hash) return true;
    if (carries === undefined || !sighting.succeeded) return false;
    // A wallet may send the same call twice, and the first one may not have succeeded.
    if ((await chain.readReceipt(carries.hash, carries.escrow))?.succeeded === true) return false;
    return (await offer(id, takeUp(sighting, carries.hash)))?.hash === hash;
  };
};

export function makeSightings({ transition, chain }: Parts): Sightings {
  const see = makeSee({ transition, chain });

  /** It is not where it was: finds its new block, if any. */
  const follow = async (carried: Carried, receipt: Receipt | undefined): Promise<void> => {
    if (receipt === undefined) {
      await transition.change({ id: carried.id }, whileCarrying(carried, takenBack));
      return;
    }
    const { block, blockHash, succeeded } = receipt;
    await see(carried.id, { execution: { hash: carried.hash, block, blockHash }, succeeded });
  };

  return {
    see,
    seeOther: async (id) => {
      await transition.change({ id }, ({ alert, phase }) =>
        phase === "READY" && alert === null ? { events: ["noticeMismatch"] } : undefined,
      );
    },
    seeAgain: async (id) => {
      await transition.change({ id }, () => ({ events: ["noticeRepetition"] }));
    },
    seeMismatch: async (id, execution) => {
      await transition.change({ id }, (current) =>
        current.execution === null
          ? { events: ["broadcast", "seeMismatch"], facts: { execution } }
          : undefined,
      );
    },
    lookAgain: async (carried) => {
      const header = await chain.readHeader(carried.block);
      if (header?.hash !== carried.blockHash)
        await follow(carried, await chain.readReceipt(carried.hash, carried.escrow));
    },
    finish: async (carried) => {
      const receipt = await chain.readReceipt(carried.hash, carried.escrow);
      if (receipt?.blockHash === carried.blockHash) {
        await transition.change(
          { id: carried.id },
          whileCarrying(carried, (current) => ended(current, receipt)),
        );
        return;
      }
      // Reverted only if the block really is another one: a node that is behind must not undo anything.
      const header = await chain.readHeader(carried.block);
      if (header === undefined || header.hash === carried.blockHash)
        throw new Error(`the node contradicts itself about block ${carried.block.toString()}`);
      await follow(carried, receipt);
    },
  };
}
