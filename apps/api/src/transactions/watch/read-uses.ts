// Finds the uses of released signatures in a block.
import type { Log } from "@countersign/platform/log";
import {
  isEntryPoint,
  type Block,
  type ChainReader,
  type Header,
  type MinedTransaction,
  type StateQuestion,
} from "../../adapters/chain/index.ts";
import type { Hex } from "../transaction.ts";
import {
  delegationMark,
  markOf,
  proofOf,
  senderMark,
  topics,
  type Judged,
  type Mark,
  type Outcome,
  type Proof,
} from "../uses/index.ts";
import type { UseSightings } from "./use-sightings.ts";
import type { UseStore, WatchedUse } from "./store/uses.ts";

type Parts = {
  readonly chain: Pick<ChainReader, "chainId" | "readEvents" | "readMined" | "readState">;
  readonly store: Pick<UseStore, "readScope" | "listByMarks" | "hasten">;
  readonly sightings: Pick<UseSightings, "see">;
  readonly log: Log;
};

type Event = Awaited<ReturnType<ChainReader["readEvents"]>>[number];

const watchedTopics = Object.values(topics);

/** Every beginning of the event's contract and topics, and the account for which an entry point reports an operation. */
const marksOfEvent = ({ address, topics: words }: Event): readonly Mark[] => [
  ...words.map((_, index) => markOf(address, ...words.slice(0, index + 1))),
  ...(words[0] === topics.userOperation && words[2] !== undefined && isEntryPoint(address)
    ? [senderMark(`0x${words[2].slice(-40)}`)]
    : []),
];

/** Returns the transactions of the block by what they may be found by. */
function findMarks(block: Block, events: readonly Event[]): ReadonlyMap<Mark, ReadonlySet<Hex>> {
  const found = new Map<Mark, Set<Hex>>();
  const add = (mark: Mark, hash: Hex): void => {
    found.set(mark, (found.get(mark) ?? new Set()).add(hash));
  };
  for (const { from, hash } of block.calls) add(senderMark(from), hash);
  for (const { address, nonce, hash } of block.tuples) add(delegationMark(address, nonce), hash);
  for (const event of events) for (const mark of marksOfEvent(event)) add(mark, event.hash);
  return found;
}

/** Nodes keep the state of at least this many blocks. */
const stateDepth = 64n;

type Place = { readonly block: Block; readonly head: Header };

/** Makes the reader of the state at a block. Undefined if a call reverts, or if the node no longer has the state of an old block. */
const makeStateAt =
  ({ chain, log }: Parts, { block, head }: Place) =>
  async (question: StateQuestion, hash: Hex): Promise<Hex | undefined> => {
    try {
      return await chain.readState(question, { hash });
    } catch (error) {
      if (head.number - block.number < stateDepth) throw error;
      // Without proof there is no claim, and the watch goes on.
      log.warn("state of an old block not read", { key: String(chain.chainId), error });
      return undefined;
    }
  };
type StateAt = ReturnType<typeof makeStateAt>;

async function closesHere({ state }: Proof, { block }: Place, stateAt: StateAt): Promise<boolean> {
  const isOpenAt = async (hash: Hex): Promise<boolean | undefined> => {
    const answer = state === null ? undefined : await stateAt(state.read, hash);
    return answer === undefined ? undefined : state?.isOpen(answer);
  };
  return (await isOpenAt(block.parentHash)) === true && (await isOpenAt(block.hash)) === false;
}

/** Returns the proven outcome, after the state was read as well. */
async function prove(
  proof: Proof,
  judged: Judged,
  place: Place,
  stateAt: StateAt,
): Promise<Outcome | undefined> {
  if (judged.closesHere === true && !(await closesHere(proof, place, stateAt))) return undefined;
  const { confirm, outcome } = judged;
  if (confirm === undefined) return outcome;
  const answer = await stateAt(confirm.read, place.block.hash);
  return answer !== undefined && confirm.holds(answer) ? outcome : confirm.otherwise;
}

/** Reads each transaction once, however many may be used in it. */
function makeReadMined({ chain }: Parts, block: Block) {
  const read = new Map<Hex, Promise<MinedTransaction | undefined>>();
  return async (hash: Hex): Promise<MinedTransaction> => {
    const reading = read.get(hash) ?? chain.readMined(hash);
    read.set(hash, reading);
    const mined = await reading;
    // Already removed from the chain. The block is read again, if it still exists.
    if (mined?.blockHash !== block.hash)
      throw new Error(`chain ${chain.chainId}: no receipt for what is in block ${block.number.toString()}`);
    return mined;
  };
}

/** Processes every use in the block. */
export function makeReadUses(parts: Parts) {
  const { chain, store, sightings } = parts;
  return async (block: Block, head: Header): Promise<void> => {
    const scope = await store.readScope(chain.chainId);
    if (scope === undefined) return;
    const { contracts } = scope;
    const events =
      contracts.length === 0 ? [] : await chain.readEvents(block, { contracts, topics: watchedTopics });
    const found = findMarks(block, events);
    const place = { block, head };
    const stateAt = makeStateAt(parts, place);
    const readMined = makeReadMined(parts, block);
    const read = async (watched: WatchedUse, hash: Hex): Promise<void> => {
      const proof = proofOf(watched);
      const judged = proof?.judge(await readMined(hash));
      const outcome =
        proof === undefined || judged === undefined ? undefined : await prove(proof, judged, place, stateAt);
      // Its nonce may have been used by something else.
      if (outcome === undefined) await store.hasten([watched.id]);
      else await sightings.see(watched.id, { outcome, hash, block: block.number, blockHash: block.hash });
    };
    for (const watched of await store.listByMarks(chain.chainId, [...found.keys()])) {
      if (watched.use?.blockHash === block.hash) continue;
      const hashes = new Set(watched.marks.flatMap((mark) => [...(found.get(mark) ?? [])]));
      for (const hash of hashes) await read(watched, hash);
    }
  };
}
