// What a sighting on the chain makes of a proposal, whoever has sent it.
import type { ChainReader, Receipt } from "../../adapters/chain/index.ts";
import type { Transition } from "../transition.ts";
import { mayBeSent, type LifecycleEvent } from "../lifecycle.ts";
import type { Change, Rule } from "../store/index.ts";
import type { Execution, Hex, Transaction } from "../transaction.ts";
import type { Carried } from "./store.ts";

type Parts = {
  readonly transition: Pick<Transition, "change">;
  readonly chain: Pick<ChainReader, "readReceipt" | "readHeader">;
};

/** The bytes of a proposal in a block, and whether they did anything there. */
export type Sighting = { readonly execution: Execution; readonly succeeded: boolean };

export type Sightings = {
  /** The bytes are in a block. False if the proposal does not take it: it has another, or has come to its end. */
  readonly see: (id: string, sighting: Sighting) => Promise<boolean>;
  /** Other bytes went from the same wallet to the same place. */
  readonly seeOther: (id: string) => Promise<void>;
  /** These bytes are in a block, and every proposal that they could be has others already. */
  readonly seeAgain: (id: string) => Promise<void>;
  /** What was sent for us, by their word, is in a block, and is not what we asked for. */
  readonly seeMismatch: (id: string, execution: Execution) => Promise<void>;
  /** The block it was in may be gone. */
  readonly lookAgain: (carried: Carried) => Promise<void>;
  /** The block it was in can no longer go away, if it is still there. */
  readonly finish: (carried: Carried) => Promise<void>;
};

/** Given up, and may yet turn out to have happened. */
const isLate = ({ phase, reason }: Pick<Transaction, "phase" | "reason">): boolean =>
  phase === "LAPSED" || (phase === "FAILED" && (reason === "EXPIRED" || reason === "CUSTODY"));

const eventOf = ({ succeeded }: Sighting): LifecycleEvent => (succeeded ? "seeSuccess" : "seeRevert");

/** Of a proposal that has been in no block so far. */
function seenFirst(current: Transaction, sighting: Sighting): Change | undefined {
  const facts = { execution: sighting.execution };
  // What expired is not brought back before it is certain; until then only where it was seen is noted.
  if (isLate(current)) return sighting.succeeded ? { facts } : undefined;
  // A wallet's failed attempt moves nothing, unless it was approved: then it is what became of it.
  if (!sighting.succeeded && !mayBeSent(current)) return undefined;
  // Whoever sends for us was faster than we noted that they were asked.
  return {
    events: current.phase === "EXECUTING" ? ["broadcast", eventOf(sighting)] : [eventOf(sighting)],
    facts,
  };
}

/** Of a proposal whose earlier block is gone, or whose earlier attempt was in vain. */
function seenElsewhere(current: Transaction, sighting: Sighting): Change {
  const facts = { execution: sighting.execution };
  if (current.phase === "CONFIRMING") {
    // Other bytes stay other bytes, in whichever block they are.
    const event = current.onchain === "mismatch" ? "seeMismatch" : eventOf(sighting);
    return { events: ["reorganise", event], facts };
  }
  if (isLate(current)) return { facts: sighting.succeeded ? facts : { execution: null } };
  return { events: sighting.succeeded ? ["seeSuccess"] : [], facts };
}

/** `gone`: the transaction it carried that counts no longer. */
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

/** The rule, for as long as the proposal carries what it was found with. */
const whileCarrying =
  ({ hash, blockHash }: Carried, rule: (current: Transaction) => Change | undefined): Rule =>
  (current) =>
    current.execution?.hash === hash && current.execution.blockHash === blockHash ? rule(current) : undefined;

/** What was executed before it was approved keeps what it was seen in: on approval it is looked for again. */
const takenBack = (current: Transaction): Change | undefined =>
  current.phase === "CONFIRMING" || isLate(current)
    ? { events: ["reorganise"], facts: { execution: null } }
    : undefined;

function ended(current: Transaction, { succeeded }: Receipt): Change | undefined {
  if (isLate(current)) return succeeded ? { events: ["seeLateSuccess"] } : takenBack(current);
  // An attempt that turned out to have failed before it was approved moves nothing.
  return current.onchain === "success" && !succeeded ? takenBack(current) : { events: ["finalize"] };
}

const isTakenByAnother = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "transactions_carried_out";

/** What a proposal carries, and whose it is. */
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
    // A wallet may send the same bytes twice, and the first ones may never have counted.
    if ((await chain.readReceipt(carries.hash, carries.escrow))?.succeeded === true) return false;
    return (await offer(id, takeUp(sighting, carries.hash)))?.hash === hash;
  };
};

export function makeSightings({ transition, chain }: Parts): Sightings {
  const see = makeSee({ transition, chain });

  /** It is not where it was: where is it? */
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
      // Taken back only if the block really is another one: a node that is behind must not undo anything.
      const header = await chain.readHeader(carried.block);
      if (header === undefined || header.hash === carried.blockHash)
        throw new Error(`the node contradicts itself about block ${carried.block.toString()}`);
      await follow(carried, receipt);
    },
  };
}
