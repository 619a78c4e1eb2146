import type { Log } from "@countersign/platform/log";
import type { Block, ChainReader, DirectedCall, Header, SentCall } from "../../adapters/chain/index.ts";
import { findStart } from "./find-start.ts";
import type { Sighting, Sightings } from "./sightings.ts";
import type { Carried, Watched, WatchStore } from "./store/executions.ts";
import type { ReadBlock } from "./store/read-block.ts";
import type { WatchUses } from "./watch-uses.ts";

type Parts = {
  readonly chain: ChainReader;
  readonly store: WatchStore;
  readonly sightings: Sightings;
  readonly uses: WatchUses;
  readonly log: Log;
};

/** The depth of a reorg, in blocks, that is detected by stored hashes. */
const remembered = 256;
/** The maximum number of blocks per round. */
const stride = 100;

/**
 * Follows one chain: each call continues where the last one ended, in whichever process, and returns how many
 * blocks are left. All of it is idempotent and safe to run concurrently: the cursor moves only over
 * completely read blocks, and rewinds before anything is undone.
 */
export type WatchChain = (signal?: AbortSignal) => Promise<number>;

export function makeWatchChain(parts: Parts): WatchChain {
  const { chain, store, uses } = parts;
  return async (signal) => {
    const begun = performance.now();
    const head = await chain.readHead();
    const finalized = await chain.readFinalized();
    const before = await store.readCursor(chain.chainId);
    const common = await findCommon(parts, before, head);
    const place = common.length > 0 ? common : [await findStart(parts, { head, finalized })];
    const isBack = place.length < before.length || common.length === 0;
    // Another process is reading: the next round continues from its position.
    if (isBack && !(await store.moveCursor(chain.chainId, before.at(-1), place))) return left(head, before);
    await uses.begin(common.length === 0);
    await lookAgain(parts, place, isBack);
    const reached = await advance(parts, { place, head, signal });
    const behind = left(head, reached);
    if (behind === 0) await store.noteCaughtUp(chain.chainId, (performance.now() - begun) / 1000);
    const final = lower(finalized, reached.at(-1));
    await allOf([
      () => finish(parts, final),
      // An old state may be gone, and the newest one says as much.
      async () => (behind === 0 ? uses.check(reached.at(-1)) : undefined),
      () => uses.finish(final),
    ]);
    return behind;
  };
}

/** Does all of it, and then throws the first error, if any. */
async function allOf(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const task of tasks) await task().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Nothing is finished before the blocks up to it were read, because they may contain more about it. */
const lower = (finalized: bigint, read: ReadBlock | undefined): bigint =>
  read === undefined || read.number > finalized ? finalized : read.number;

const left = (head: Header, read: readonly ReadBlock[]): number =>
  Math.max(0, Number(head.number - (read.at(-1)?.number ?? head.number)));

/** Those of the blocks that the chain still has. */
async function findCommon(
  { chain, log }: Parts,
  recent: readonly ReadBlock[],
  head: Header,
): Promise<readonly ReadBlock[]> {
  const key = String(chain.chainId);
  for (let length = recent.length; length > 0; length--) {
    const block = recent[length - 1];
    if (block === undefined || block.number > head.number) continue;
    if ((await chain.readHeader(block.number))?.hash !== block.hash) continue;
    const count = recent.length - length;
    if (count > 0) log.warn("chain reorg detected", { key, count });
    return recent.slice(0, length);
  }
  if (recent.length > 0) log.error("chain reorg beyond the stored blocks", { key, count: recent.length });
  return [];
}

/** Checks again the transactions seen in blocks that are not among those that were read. */
async function lookAgain(
  { chain, store, sightings, uses }: Parts,
  place: readonly ReadBlock[],
  isBack: boolean,
): Promise<void> {
  const from = place.length > 1 || !isBack ? (place[0]?.number ?? 0n) : 0n;
  // Later blocks may be read by a process that is ahead, except right after a reorg.
  const upTo = isBack ? undefined : place.at(-1)?.number;
  for (const carried of await store.listStray(chain.chainId, place, { from, upTo }))
    await sightings.lookAgain(carried);
  await uses.lookAgain(place, { from, upTo });
}

type Ahead = {
  readonly place: readonly ReadBlock[];
  readonly head: Header;
  readonly signal: AbortSignal | undefined;
};

/** Reads on, and stores the progress also when it fails midway. */
async function advance(parts: Parts, { place, head, signal }: Ahead): Promise<readonly ReadBlock[]> {
  const { chain, store } = parts;
  const reached = [...place];
  try {
    for (let count = 0; count < stride && signal?.aborted !== true; count++) {
      const next = await readNext(parts, reached.at(-1), head);
      if (next === undefined) break;
      reached.push(next);
    }
  } finally {
    if (reached.length > place.length)
      await store.moveCursor(chain.chainId, place.at(-1), reached.slice(-remembered));
  }
  return reached;
}

/** Reads the next block and processes everything in it. */
async function readNext(
  parts: Parts,
  last: ReadBlock | undefined,
  head: Header,
): Promise<ReadBlock | undefined> {
  if (last === undefined || last.number >= head.number) return undefined;
  const block = await parts.chain.readBlock(last.number + 1n);
  // The chain changed during reading. The next round starts with that.
  if (block?.parentHash !== last.hash) return undefined;
  await readCalls(parts, block, head);
  await parts.uses.read(block, head);
  return { number: block.number, hash: block.hash };
}

const isDirected = (call: SentCall): call is DirectedCall => call.to !== null;

/** Same wallet and same destination. */
const goesThere = (call: DirectedCall, { escrow, to }: Watched): boolean =>
  call.from === escrow && call.to === to;

/** Same call from the same wallet. */
const isSame = (call: DirectedCall, watched: Watched): boolean =>
  goesThere(call, watched) && call.value === watched.value && call.dataHash === watched.dataHash;

async function readCalls(parts: Parts, block: Block, head: Header): Promise<void> {
  const { chain, store } = parts;
  const wallets = new Set(await store.listWallets(chain.chainId));
  const inner = wallets.size === 0 ? [] : await chain.readInnerCalls(block, wallets);
  const directed = [...block.calls.filter(isDirected), ...inner];
  const times = { block: block.timestamp, head: head.timestamp };
  const watched = await store.listWatched(chain.chainId, directed, times);
  const calls = directed.filter((call) => watched.some((one) => goesThere(call, one)));
  const hashes = calls.map(({ hash }) => hash);
  const carrying = await store.listCarrying(chain.chainId, hashes);
  for (const call of calls) {
    const holder = carrying.find(({ hash, escrow }) => hash === call.hash && escrow === call.from);
    const isKnown = holder !== undefined && (holder.final || holder.blockHash === block.hash);
    if (!isKnown) await readCall(parts, { block, call, holder, watched });
  }
}

type Reading = {
  readonly block: Block;
  readonly call: DirectedCall;
  /** The proposal that has it, in a block that is gone. */
  readonly holder: Carried | undefined;
  readonly watched: readonly Watched[];
};

async function readCall(
  { chain, sightings }: Parts,
  { block, call, holder, watched }: Reading,
): Promise<void> {
  const same = watched.filter((one) => isSame(call, one));
  if (holder === undefined && same.length === 0) {
    const others = watched.filter((one) => one.phase === "READY" && goesThere(call, one));
    for (const { id } of others) await sightings.seeOther(id);
    return;
  }
  const sighting = await look(chain, block, call);
  const isTaken = await give(sightings, sighting, holder === undefined ? same : [holder]);
  // Executed more often than there are proposals for it.
  if (!isTaken && holder === undefined && sighting.succeeded)
    for (const { id } of same) await sightings.seeAgain(id);
}

async function look(chain: ChainReader, block: Block, { hash, from }: SentCall): Promise<Sighting> {
  const receipt = await chain.readReceipt(hash, from);
  // Already removed from the chain, or the node is inconsistent. The block is read again, if it still exists.
  if (receipt?.blockHash !== block.hash)
    throw new Error(`chain ${chain.chainId}: no receipt for what is in block ${block.number.toString()}`);
  return { execution: { hash, block: block.number, blockHash: block.hash }, succeeded: receipt.succeeded };
}

/** Assigns it to the first proposal that accepts it: one transaction on the chain executes one proposal. */
async function give(
  sightings: Sightings,
  sighting: Sighting,
  candidates: readonly { readonly id: string }[],
): Promise<boolean> {
  for (const { id } of candidates) if (await sightings.see(id, sighting)) return true;
  return false;
}

/** A transaction that cannot be finished now does not stop the others. It is reported and retried in the next round. */
async function finish({ chain, store, sightings }: Parts, finalized: bigint): Promise<void> {
  const failures: unknown[] = [];
  for (const carried of await store.listCarriedUpTo(chain.chainId, finalized)) {
    try {
      await sightings.finish(carried);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
