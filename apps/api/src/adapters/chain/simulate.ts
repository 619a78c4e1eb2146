// Simulates a call in the next block, with the gas and fees that it would be sent with. Nothing is sent, and there are
// no side effects.
import { BlockNotFoundError, keccak256, numberToHex, type PublicClient } from "viem";
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { askNode, type Place, type Refusal } from "./ask-node.ts";
import { lowerCase, makeNode, type NodeOptions } from "./node.ts";
import { address, quantity, runCall, type Log, type Measure, type RpcCall, type Run } from "./run-call.ts";
import {
  blockAfter,
  blockThatTakes,
  mostGas,
  randomAddress,
  termsIn,
  usualFees,
  usualGas,
  type Parent,
  type SendingTerms,
  type InBlock,
} from "./surroundings.ts";

export type SimulatedCall = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
  /** As it will be sent. If that is not known yet, it is simulated with little and with much gas. */
  readonly terms?: SendingTerms | undefined;
  /** Balances to measure before and after it. */
  readonly measures?: readonly Measure[];
};

/** The simulated outcome, in lower case. */
export type Simulation = {
  /** The block it would follow. */
  readonly block: bigint;
  /** Of that block, in Unix seconds. */
  readonly time: bigint;
  readonly succeeded: boolean;
  /** Why it would fail: shortened and printable, because it may be the text of an unknown contract. */
  readonly reason: string | null;
  /** How much native token the wallet would gain, without fees. */
  readonly gained: bigint;
  /** Empty for a failed call. Transfers of the native token appear as token transfers at 0xeeee…eeee. */
  readonly logs: readonly Log[];
  /** Every address whose code or storage it would access. */
  readonly touched: readonly Hex[];
  /** How much each balance in `measures` would change, fees included. Null if it cannot be measured. Empty for a failed call. */
  readonly measured: readonly (bigint | null)[];
};

export type ChainSimulator = {
  readonly chainId: number;
  readonly simulate: (call: SimulatedCall) => Promise<Simulation>;
  /**
   * Hashes of the code at each address as of that block, and of the code they delegate to. Empty code has a
   * hash as well.
   */
  readonly readCodeHashes: (addresses: readonly Hex[], block: bigint) => Promise<ReadonlyMap<Hex, Hex>>;
  /** The number of an address's transactions in blocks, and including pending ones. */
  /** Null if the node has no block of that number. */
  readonly readBlockHash: (block: bigint) => Promise<Hex | null>;
  readonly readNonces: (address: Hex) => Promise<{ readonly latest: number; readonly pending: number }>;
};

/** More than any honest call needs. A limit, so that no contract decides how much we request and store. */
const maxTouched = 200;
const maxLogs = 1_000;
const questionsAtOnce = 16;

export function makeChainSimulator(options: NodeOptions): ChainSimulator {
  const { chainId } = options;
  const { client, ask } = makeNode(options);
  return {
    chainId,
    simulate: (call) =>
      ask(async () => {
        // All requests name the block by number, because `latest` may change between them.
        const parent = await client.getBlock({ blockTag: "latest" });
        const simulation = await simulate({ client, chainId, block: parent.number }, parent, call);
        return { ...simulation, time: parent.timestamp };
      }, "anew"),
    readCodeHashes: (addresses, block) => ask(() => readCodeHashes(client, addresses, block)),
    readBlockHash: (blockNumber) =>
      ask(
        () =>
          client.getBlock({ blockNumber }).then(
            ({ hash }) => hash,
            (error: unknown) => {
              if (error instanceof BlockNotFoundError) return null;
              throw error;
            },
          ),
        "anew",
      ),
    readNonces: (address) =>
      ask(async () => {
        const [latest, pending] = await Promise.all([
          client.getTransactionCount({ address, blockTag: "latest" }),
          client.getTransactionCount({ address, blockTag: "pending" }),
        ]);
        return { latest, pending };
      }, "anew"),
  };
}

const reached = z.object({
  accessList: z.array(z.object({ address })).transform((list) => list.map((entry) => entry.address)),
  error: z.string().nullish(),
});
const estimated = quantity.transform((gas) => ({ gas }));

async function simulate(
  place: Place,
  parent: Parent,
  given: SimulatedCall,
): Promise<Omit<Simulation, "time">> {
  const { from, to, value, data } = given;
  const call = { from, to, value: numberToHex(value), input: data };
  const real = await chooseSurroundings(place, parent, given);
  if ("refusal" in real) return failure(place, real.refusal);
  const done = await runAlike(place, call, { ...real, measures: given.measures ?? [] });
  if ("refusal" in done) return failure(place, done.refusal);
  const { logs, gained, measured } = done;
  const touched = await listTouched(place, call, { logs, gas: real.last.terms.gas });
  if ("refusal" in touched) return failure(place, touched.refusal);
  const { addresses } = touched;
  return { block: place.block, succeeded: true, reason: null, gained, logs, touched: addresses, measured };
}

/** Two blocks, with the gas and fees of a transaction in each. */
type Real = { readonly first: InBlock; readonly last: InBlock };

/** Any proposer may take the transaction, so the two blocks have different ones. */
async function chooseSurroundings(
  place: Place,
  parent: Parent,
  call: SimulatedCall,
): Promise<Real | Refusal> {
  const blocks = [blockAfter(parent, parent.miner), blockAfter(parent, randomAddress())] as const;
  const inBlocks = (first: SendingTerms, last: SendingTerms): Real => ({
    first: { block: blockThatTakes(blocks[0], first), terms: first },
    last: { block: blockThatTakes(blocks[1], last), terms: last },
  });
  if (call.terms !== undefined) return inBlocks(call.terms, call.terms);
  const terms = await guessTerms(place, parent, call);
  return "refusal" in terms ? terms : inBlocks(terms.much, terms.usual);
}

type Guess = { readonly much: SendingTerms; readonly usual: SendingTerms };

async function guessTerms(place: Place, parent: Parent, call: SimulatedCall): Promise<Guess | Refusal> {
  const { client, block: blockNumber } = place;
  const { from, to, value, data } = call;
  const [balance, gasPrice] = await Promise.all([
    client.getBalance({ address: from, blockNumber }),
    client.getGasPrice(),
  ]);
  const fees = { ...usualFees(parent, gasPrice), accessList: [] };
  const probes = 2 * (1 + (call.measures?.length ?? 0));
  const gas = mostGas(parent, { funds: balance - value, maxFeePerGas: fees.maxFeePerGas, probes });
  if (gas < 21_000n) return { refusal: "insufficient funds" };
  const much = { gas, ...fees };
  const surroundings = { block: blockAfter(parent, parent.miner), terms: much };
  const estimate = await askNode(place, {
    method: "eth_estimateGas",
    first: { from, to, value: numberToHex(value), input: data, ...termsIn(surroundings) },
    shape: estimated,
  });
  // A call that fails has no estimate. The run says why it fails.
  if ("refusal" in estimate) return { much, usual: much };
  return { much, usual: { ...much, gas: usualGas(estimate.gas, gas) } };
}

/**
 * Runs the call in both blocks, and once with the defaults that simulations have. The effect of an honest call is
 * the same each time.
 */
async function runAlike(
  place: Place,
  call: RpcCall,
  { measures, ...real }: Real & { readonly measures: readonly Measure[] },
): Promise<Run | Refusal> {
  const first = await runCall(place, call, real.first, measures);
  if ("refusal" in first) return first;
  const others = [
    await runWithLessGas(place, call, real),
    await runCall(place, call, { block: undefined, terms: undefined }),
  ];
  if (others.some((other) => "refusal" in other || !isSameRun(first, other)))
    return { refusal: "it behaves differently when it is simulated" };
  return first;
}

/**
 * An estimate can be too low, because the next block is not the one that it was made in. The call then fails, which costs its
 * gas and nothing else, so it is tried once more with twice the gas.
 */
async function runWithLessGas(place: Place, call: RpcCall, { first, last }: Real): Promise<Run | Refusal> {
  const run = await runCall(place, call, last);
  if (!("refusal" in run) || last.terms.gas >= first.terms.gas) return run;
  const twice = 2n * last.terms.gas;
  const gas = twice < first.terms.gas ? twice : first.terms.gas;
  return runCall(place, call, { ...last, terms: { ...last.terms, gas } });
}

const isSameRun = (one: Run, other: Run): boolean =>
  one.gained === other.gained && JSON.stringify(one.logs) === JSON.stringify(other.logs);

async function listTouched(
  place: Place,
  call: RpcCall,
  { logs, gas }: { readonly logs: readonly Log[]; readonly gas: bigint },
): Promise<{ readonly addresses: readonly Hex[] } | Refusal> {
  // With more gas, because the list itself costs some, and without fees, which the wallet may not be able to pay for it.
  const first = { ...call, gas: numberToHex(2n * gas + 100_000n) };
  const list = await askNode(place, { method: "eth_createAccessList", first, shape: reached });
  if ("refusal" in list) return list;
  if (list.error) throw new Error(`chain ${place.chainId}: the node contradicts itself about a call`);
  const { from, to } = call;
  const touched = new Set([from, to, ...list.accessList, ...logs.map((log) => log.address)].map(lowerCase));
  if (touched.size > maxTouched || logs.length > maxLogs)
    return { refusal: "it accesses more addresses, or emits more logs, than can be compared" };
  return { addresses: [...touched] };
}

const failure = ({ block }: Place, reason: string): Omit<Simulation, "time"> => ({
  ...{ block, succeeded: false, reason: printable(reason), gained: 0n, logs: [], touched: [], measured: [] },
});

const printable = (text: string): string | null =>
  text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 200) || null;

/** The code of an account that delegates to another address: this prefix and that address. */
const delegation = /^0xef0100([0-9a-f]{40})$/;

async function readCodeHashes(
  client: PublicClient,
  addresses: readonly Hex[],
  block: bigint,
): Promise<ReadonlyMap<Hex, Hex>> {
  const hashes = new Map<Hex, Hex>();
  const waiting = new Set(addresses.map(lowerCase));
  // Sets can grow during iteration, so delegates come last. They cannot delegate further.
  while (hashes.size < waiting.size) {
    const some = [...waiting].filter((one) => !hashes.has(one)).slice(0, questionsAtOnce);
    const codes = await Promise.all(
      some.map(async (one) => ({ one, code: await client.getCode({ address: one, blockNumber: block }) })),
    );
    for (const { one, code = "0x" } of codes) {
      hashes.set(one, keccak256(code));
      const delegate = delegation.exec(lowerCase(code))?.[1];
      if (delegate !== undefined) waiting.add(`0x${delegate}`);
    }
  }
  return hashes;
}
