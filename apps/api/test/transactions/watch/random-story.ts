// A random story of proposals, wallets and chain reorgs, and the invariants at its end.
import type { LifecycleEvent } from "../../../src/transactions/lifecycle.ts";
import type { Call, Hex, Transaction } from "../../../src/transactions/transaction.ts";
import { aCall, finalDepth, somewhere, type Harness, type Wallet } from "./harness.ts";

/** mulberry32: small, and the same everywhere. */
function makeDice(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit: number): number => Math.floor(next() * limit),
    /** From a non-empty list. */
    choose: <T>(from: readonly T[]): T => {
      const chosen = from[Math.floor(next() * from.length)];
      if (chosen === undefined) throw new Error("there is nothing to choose from");
      return chosen;
    },
    pick: <T>(from: readonly T[]): T | undefined => from[Math.floor(next() * from.length)],
  };
}

type Proposal = Pick<Transaction, "id" | "requestHash"> & {
  readonly wallet: Wallet;
  readonly call: Call;
  /** The block before which it did not exist. */
  readonly since: bigint;
};

/** A wallet's transaction, by its hash. */
type Canonical = { readonly hash: Hex; readonly from: Hex; readonly call: Call; readonly block: bigint };

const sameBytes = ({ from, call }: Canonical, { wallet, call: wanted }: Proposal): boolean =>
  from === wallet.address &&
  call.to === wanted.to &&
  call.value === wanted.value &&
  call.data === wanted.data;

async function listSuccesses(harness: Harness, from: bigint): Promise<readonly Canonical[]> {
  const found: Canonical[] = [];
  for (let number = from; number <= (await harness.chain.getBlockNumber()); number++) {
    const block = await harness.chain.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { hash, from: sender, to, value, input } of block.transactions) {
      const { status } = await harness.chain.getTransactionReceipt({ hash });
      if (status !== "success" || to === null) continue;
      const call = { to: to.toLowerCase() as Hex, value, data: input };
      found.push({ hash, from: sender.toLowerCase() as Hex, call, block: number });
    }
  }
  return found;
}

type Row = Awaited<ReturnType<Harness["read"]>>;

const isOwn = (own: Canonical | undefined, one: Proposal, row: Row): boolean =>
  own !== undefined && sameBytes(own, one) && own.block === row.execution?.block;

/** Returns what is wrong with one proposal, if anything. */
function judge(
  one: Proposal,
  row: Row,
  { successes, held }: { readonly successes: readonly Canonical[]; readonly held: readonly Hex[] },
): string | undefined {
  const own = successes.find(({ hash }) => hash === row.hash);
  if (row.phase === "EXECUTED" && !isOwn(own, one, row)) return "executed by nothing";
  if (row.phase === "CONFIRMING") return "not settled though all is final";
  if (row.reason === "EXPIRED" && row.phase === "FAILED" && own !== undefined) return "the money moved";
  if (row.hash !== undefined || row.reason === "REVERTED") return undefined;
  const isMissed = (sent: Canonical): boolean =>
    sent.block > one.since && sameBytes(sent, one) && !held.includes(sent.hash);
  return successes.some(isMissed) ? "overlooked" : undefined;
}

/** Returns sentences about what is wrong. Empty if nothing is. */
async function audit(
  harness: Harness,
  proposals: readonly Proposal[],
  from: bigint,
): Promise<readonly string[]> {
  const successes = await listSuccesses(harness, from);
  const rows = await Promise.all(proposals.map(async (one) => ({ one, row: await harness.read(one) })));
  const held = rows.map(({ row }) => row.hash).filter((hash) => hash !== undefined);
  const wrong = rows.flatMap(({ one, row }) => {
    const what = judge(one, row, { successes, held });
    return what === undefined ? [] : [`${what}: ${row.phase} ${row.reason ?? ""} ${row.hash ?? ""}`];
  });
  const isTwice = new Set(held).size !== held.length;
  return isTwice ? [...wrong, "one transaction carries out two proposals"] : wrong;
}

/** Plays this many steps, lets everything become final, and returns what is wrong then. */
export async function playRandomly(
  harness: Harness,
  seed: number,
  steps: number,
): Promise<readonly string[]> {
  const { below, choose, pick } = makeDice(seed);
  const wallets = [await harness.aWallet(), await harness.aWallet()];
  const [plain, moody] = [somewhere(), somewhere()];
  const calls = [aCall({ to: plain }), aCall({ to: plain, value: 7n }), aCall({ to: moody, data: "0x01" })];
  const [proposals, raws]: [Proposal[], Hex[]] = [[], []];
  await harness.mine(finalDepth + 1);
  const start = await harness.chain.getBlockNumber();
  let highest = start;
  /** As deep as possible without removing blocks that were final at any time. */
  const depthOf = async (wanted: number): Promise<number> =>
    Math.min(wanted, Number((await harness.chain.getBlockNumber()) - highest));
  const noteFinal = async (): Promise<void> => {
    const final = (await harness.chain.getBlockNumber()) - BigInt(finalDepth);
    if (final > highest) highest = final;
  };
  const decide =
    (...events: LifecycleEvent[]) =>
    async (): Promise<void> => {
      const one = pick(proposals);
      if (one !== undefined) await harness.happen(one, ...events);
    };
  /** Its nonce may be used up, or it waits for another one. */
  const offer = async (raw: Hex): Promise<void> => {
    await harness.include(raw, 0.3).catch(() => undefined);
  };
  const send = (call: Call) => async (): Promise<void> => {
    const raw = await choose(wallets).signNext(call, BigInt(below(1_000)));
    raws.push(raw);
    await offer(raw);
  };
  /** Sends the latest ones again. Some are no longer valid. */
  const resend = async (): Promise<void> => {
    for (const raw of raws.slice(-4)) if (below(2) === 0) await offer(raw);
  };
  const deeds: readonly (readonly [number, () => Promise<unknown>])[] = [
    [
      5,
      async () => {
        const [wallet, call] = [choose(wallets), choose(calls)];
        const since = await harness.chain.getBlockNumber();
        const after = below(2) === 0 ? undefined : (["pin", "register"] as const);
        const { id, requestHash } = await harness.aProposal(wallet, call, after);
        proposals.push({ id, requestHash, wallet, call, since });
      },
    ],
    [4, decide("verdictApproved", "userApproves")],
    [1, decide("userRejects")],
    [1, decide("withdraw")],
    [1, async () => harness.expire(pick(proposals) ?? { id: "00000000-0000-0000-0000-000000000000" })],
    [6, async () => send(choose(calls))()],
    [1, send(aCall({ to: plain, value: 99n }))],
    [1, () => harness.chain.setCode({ address: moody, bytecode: below(2) === 0 ? "0x" : "0x60006000fd" })],
    [1, () => harness.mine(1 + below(4))],
    [
      2,
      async () => {
        const depth = await depthOf(1 + below(8));
        if (depth > 0) await harness.reorganise(depth);
      },
    ],
    [
      2,
      async () => {
        const depth = await depthOf(1 + below(8));
        if (depth === 0) return;
        await harness.rollBack(depth);
        if (below(2) === 0)
          await harness
            .aWatcher()()
            .catch(() => undefined);
        await resend();
      },
    ],
    [5, () => harness.watch()],
    [2, () => Promise.allSettled([harness.aWatcher()(), harness.aWatcher()()])],
    [
      2,
      () =>
        harness
          .aDyingWatcher(1 + below(4))()
          .catch(() => undefined),
    ],
  ];
  const urn = deeds.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed));
  for (let step = 0; step < steps; step++) {
    await pick(urn)?.();
    await noteFinal();
  }
  await harness.mine(finalDepth + 1);
  await harness.watch();
  await harness.watch();
  return audit(harness, proposals, start);
}
