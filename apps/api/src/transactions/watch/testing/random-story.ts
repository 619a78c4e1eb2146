// A random story of proposals, wallets and a chain that changes its mind, and what must hold at its end.
import type { LifecycleEvent } from "../../lifecycle.ts";
import type { Call, Hex, Transaction } from "../../transaction.ts";
import { aCall, finalDepth, somewhere, type Stage, type Wallet } from "./stage.ts";

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
    /** Of a list that is not empty. */
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
  /** The block before which it was not there. */
  readonly since: bigint;
};

/** What a wallet sent, by its hash. */
type Canonical = { readonly hash: Hex; readonly from: Hex; readonly call: Call; readonly block: bigint };

const sameBytes = ({ from, call }: Canonical, { wallet, call: wanted }: Proposal): boolean =>
  from === wallet.address &&
  call.to === wanted.to &&
  call.value === wanted.value &&
  call.data === wanted.data;

async function listSuccesses(stage: Stage, from: bigint): Promise<readonly Canonical[]> {
  const found: Canonical[] = [];
  for (let number = from; number <= (await stage.chain.getBlockNumber()); number++) {
    const block = await stage.chain.getBlock({ blockNumber: number, includeTransactions: true });
    for (const { hash, from: sender, to, value, input } of block.transactions) {
      const { status } = await stage.chain.getTransactionReceipt({ hash });
      if (status !== "success" || to === null) continue;
      const call = { to: to.toLowerCase() as Hex, value, data: input };
      found.push({ hash, from: sender.toLowerCase() as Hex, call, block: number });
    }
  }
  return found;
}

type Row = Awaited<ReturnType<Stage["read"]>>;

const isOwn = (own: Canonical | undefined, one: Proposal, row: Row): boolean =>
  own !== undefined && sameBytes(own, one) && own.block === row.execution?.block;

/** What is wrong with one proposal, if anything. */
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

/** Sentences about what is wrong; none if all is well. */
async function audit(stage: Stage, proposals: readonly Proposal[], from: bigint): Promise<readonly string[]> {
  const successes = await listSuccesses(stage, from);
  const rows = await Promise.all(proposals.map(async (one) => ({ one, row: await stage.read(one) })));
  const held = rows.map(({ row }) => row.hash).filter((hash) => hash !== undefined);
  const wrong = rows.flatMap(({ one, row }) => {
    const what = judge(one, row, { successes, held });
    return what === undefined ? [] : [`${what}: ${row.phase} ${row.reason ?? ""} ${row.hash ?? ""}`];
  });
  const isTwice = new Set(held).size !== held.length;
  return isTwice ? [...wrong, "one transaction carries out two proposals"] : wrong;
}

/** Plays so many steps, lets everything become final, and says what is wrong then. */
export async function playRandomly(stage: Stage, seed: number, steps: number): Promise<readonly string[]> {
  const { below, choose, pick } = makeDice(seed);
  const wallets = [await stage.aWallet(), await stage.aWallet()];
  const [plain, moody] = [somewhere(), somewhere()];
  const calls = [aCall({ to: plain }), aCall({ to: plain, value: 7n }), aCall({ to: moody, data: "0x01" })];
  const [proposals, raws]: [Proposal[], Hex[]] = [[], []];
  await stage.mine(finalDepth + 1);
  const start = await stage.chain.getBlockNumber();
  let highest = start;
  /** As deep as may be without undoing what was final at any time. */
  const depthOf = async (wanted: number): Promise<number> =>
    Math.min(wanted, Number((await stage.chain.getBlockNumber()) - highest));
  const noteFinal = async (): Promise<void> => {
    const final = (await stage.chain.getBlockNumber()) - BigInt(finalDepth);
    if (final > highest) highest = final;
  };
  const decide =
    (...events: LifecycleEvent[]) =>
    async (): Promise<void> => {
      const one = pick(proposals);
      if (one !== undefined) await stage.happen(one, ...events);
    };
  /** It may have no place any more, or wait for another one. */
  const offer = async (raw: Hex): Promise<void> => {
    await stage.include(raw, 0.3).catch(() => undefined);
  };
  const send = (call: Call) => async (): Promise<void> => {
    const raw = await choose(wallets).signNext(call, BigInt(below(1_000)));
    raws.push(raw);
    await offer(raw);
  };
  /** Those that were sent of late are sent again; some have no place any more. */
  const resend = async (): Promise<void> => {
    for (const raw of raws.slice(-4)) if (below(2) === 0) await offer(raw);
  };
  const deeds: readonly (readonly [number, () => Promise<unknown>])[] = [
    [
      5,
      async () => {
        const [wallet, call] = [choose(wallets), choose(calls)];
        const since = await stage.chain.getBlockNumber();
        const after = below(2) === 0 ? undefined : (["pin", "register"] as const);
        const { id, requestHash } = await stage.aProposal(wallet, call, after);
        proposals.push({ id, requestHash, wallet, call, since });
      },
    ],
    [4, decide("verdictApproved", "userApproves")],
    [1, decide("userRejects")],
    [1, decide("withdraw")],
    [1, async () => stage.expire(pick(proposals) ?? { id: "00000000-0000-0000-0000-000000000000" })],
    [6, async () => send(choose(calls))()],
    [1, send(aCall({ to: plain, value: 99n }))],
    [1, () => stage.chain.setCode({ address: moody, bytecode: below(2) === 0 ? "0x" : "0x60006000fd" })],
    [1, () => stage.mine(1 + below(4))],
    [
      2,
      async () => {
        const depth = await depthOf(1 + below(8));
        if (depth > 0) await stage.reorganise(depth);
      },
    ],
    [
      2,
      async () => {
        const depth = await depthOf(1 + below(8));
        if (depth === 0) return;
        await stage.rollBack(depth);
        if (below(2) === 0)
          await stage
            .aWatcher()()
            .catch(() => undefined);
        await resend();
      },
    ],
    [5, () => stage.watch()],
    [2, () => Promise.allSettled([stage.aWatcher()(), stage.aWatcher()()])],
    [
      2,
      () =>
        stage
          .aDyingWatcher(1 + below(4))()
          .catch(() => undefined),
    ],
  ];
  const urn = deeds.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed));
  for (let step = 0; step < steps; step++) {
    await pick(urn)?.();
    await noteFinal();
  }
  await stage.mine(finalDepth + 1);
  await stage.watch();
  await stage.watch();
  return audit(stage, proposals, start);
}
