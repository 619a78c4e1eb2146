// Captures the state that calls read. A node is first asked which state that probably is; then the calls are executed, and
// whatever is still missing is fetched. The result is proven before it is returned.
import { encodeFunctionData, keccak256, parseAbi } from "viem/utils";
import {
  estimateGas,
  feedCall,
  findFeed,
  limits,
  listNamed,
  listNameReads,
  listSafeCalls,
  MissingBlockHash,
  nextBlock,
  noCode,
  ownerCall,
  readHeader,
  sceneOf,
  simulate,
  symbolCall,
  verifyWitness,
  type Hardfork,
  type MissingState,
  type Scene,
  type Simulation,
  type Source,
  type Witness,
  type WitnessAccount,
} from "@countersign/evm";
import type { Hex } from "@countersign/wire";
import {
  readAccounts,
  readBlocks,
  readTouched,
  type Block,
  type NodeCall,
  type Rpc,
  type Wanted,
} from "../adapters/rpc/index.ts";

export type Given = {
  readonly chainId: number;
  readonly hardfork: Hardfork;
  readonly block: Block;
  /** Of one sender, in their order. */
  readonly calls: readonly [NodeCall, ...NodeCall[]];
  /** The account that has signed for the sender. Undefined: the sender sends the calls. */
  readonly signer?: Hex | undefined;
  /** To be resolved on the same state, normalised. */
  readonly names: readonly string[];
};

export type Captured = { readonly witness: Witness; readonly simulation: Simulation };

/** The state cannot be captured, whichever node is asked. */
export class NotCapturable extends Error {
  override readonly name = "NotCapturable";
}

/** More requests than an honest call needs, after what the node named itself. */
const maxFetches = 200;
const abi = parseAbi(["function balanceOf(address holder) view returns (uint256)"]);
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`;
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** Throws NodeFailed, Unproven if the node lied, NotCapturable, LimitExceeded, and what `checkBudget` throws. */
export async function capture(given: Given, rpc: Rpc, checkBudget: () => void): Promise<Captured> {
  const { block, hardfork, chainId, names, signer } = given;
  const store = makeStore(rpc, block.hash);
  const { source, onMissing } = store;
  await fetchLikely(given, rpc, store);
  const bare = {
    ...({ version: 1, hardfork } as const),
    ...{ chainId: quantity(BigInt(chainId)), blockHash: block.hash },
    ...(names.length === 0 ? {} : { names }),
    ...(signer === undefined ? {} : { signer }),
  };
  const headers: Hex[] = [block.header];
  for (;;) {
    const toScene = (called: Called): Scene => {
      const empty = { ...bare, ...called, headers, accounts: {}, codes: {}, nodes: [] };
      return { ...sceneOf(verifyWitness(empty)), source };
    };
    try {
      const used = await estimateGas(toScene(withGas(given, [])), { onMissing, checkBudget });
      const called = withGas(given, used);
      const simulation = await simulate(toScene(called), { onMissing, checkBudget });
      const witness = { ...bare, ...called, headers, ...store.take() };
      verifyWitness(witness);
      return { witness, simulation };
    } catch (error) {
      if (!(error instanceof MissingBlockHash)) throw error;
      await addHeaders(headers, { rpc, block, oldest: error.number });
    }
  }
}

type Called = Pick<Witness, "call" | "following">;

/** For calls whose use of gas is not known. */
const commonGas = 1_000_000n;

/** Gas: half more than it uses. Fees as wallets offer them: twice the base fee, and a tip. */
function withGas({ calls, block, hardfork }: Given, used: readonly bigint[]): Called {
  const tip = 10n ** 8n;
  const base = nextBlock(readHeader(block.header, hardfork)).baseFeePerGas;
  const gasOf = (gas: bigint | undefined): bigint =>
    gas === undefined ? commonGas : (gas * 3n) / 2n + 50_000n;
  const [{ from, ...first }, ...following] = calls.map((call, index) => {
    const gas = gasOf(used[index]);
    return { ...call, gas: quantity(gas < limits.gas ? gas : limits.gas) };
  }) as [NodeCall & { readonly gas: Hex }, ...(NodeCall & { readonly gas: Hex })[]];
  const fees = { maxFeePerGas: quantity(2n * base + tip), maxPriorityFeePerGas: quantity(tip) };
  return {
    call: { from, ...first, ...fees },
    ...(following.length === 0
      ? {}
      : { following: following.map(({ to, value, data, gas }) => ({ to, value, data, gas })) }),
  };
}

/** The hash of a block is proven by the header of the next one. */
async function addHeaders(
  headers: Hex[],
  { rpc, block, oldest }: { readonly rpc: Rpc; readonly block: Block; readonly oldest: bigint },
): Promise<void> {
  const next = block.number - BigInt(headers.length);
  const count = Number(next - oldest);
  if (count < 1 || headers.length + count > 256) throw new NotCapturable("it reads the hash of an old block");
  const numbers = Array.from({ length: count }, (_, at) => next - BigInt(at));
  headers.push(...(await readBlocks(rpc, numbers)).map(({ header }) => header));
}

type Store = {
  readonly source: Source;
  readonly onMissing: (missing: MissingState) => Promise<void>;
  readonly add: (wanted: Wanted) => Promise<void>;
  readonly take: () => Pick<Witness, "accounts" | "codes" | "nodes">;
};

/** The state that was fetched. It grows while the call is executed. */
function makeStore(rpc: Rpc, blockHash: Hex): Store {
  const accounts: Record<Hex, WitnessAccount> = {};
  const codes: Record<Hex, Hex> = {};
  const nodes = new Set<Hex>();
  let fetches = 0;
  const add = async (wanted: Wanted): Promise<void> => {
    for (const found of await readAccounts(rpc, wanted, blockHash)) {
      const { address, code, accountProof, storageProof } = found;
      const codeHash = code === "0x" ? noCode : keccak256(code);
      if (code !== "0x") codes[codeHash] = code;
      for (const node of [...accountProof, ...storageProof.flatMap(({ proof }) => proof)]) nodes.add(node);
      const slots = storageProof.map(
        ({ key, value }) => [word(BigInt(key)), quantity(BigInt(value))] as const,
      );
      accounts[address] = {
        balance: quantity(BigInt(found.balance)),
        nonce: quantity(BigInt(found.nonce)),
        codeHash,
        storage: { ...accounts[address]?.storage, ...Object.fromEntries(slots) },
      };
    }
  };
  return {
    source: {
      findAccount: (address) => accounts[address],
      findSlot: (address, slot) => accounts[address]?.storage[slot],
      findCode: (hash) => codes[hash],
    },
    onMissing: async ({ address, slot }) => {
      fetches += 1;
      if (fetches > maxFetches) throw new NotCapturable("it reads more state than we fetch one by one");
      await add(new Map([[address, new Set(slot === null ? [] : [slot])]]));
    },
    add,
    take: () => ({ accounts, codes, nodes: [...nodes].sort() }),
  };
}

/** Calls whose state is read in addition to the transaction's own: balances, price feeds and names. */
function listViews({ chainId, calls, signer, names }: Given): readonly NodeCall[] {
  const [{ from, to, data }] = calls;
  const named = listNamed(calls);
  const isSafe = signer === undefined && calls.length === 1 && listSafeCalls(data) !== null;
  const balance = encodeFunctionData({ abi, args: [isSafe ? to : from] });
  const feeds = ["native" as const, ...named].flatMap((asset) => findFeed(BigInt(chainId), asset) ?? []);
  const view = (target: Hex, input: Hex): NodeCall => ({ from, to: target, data: input, value: "0x0" });
  return [
    ...(isSafe ? [view(to, ownerCall(from))] : []),
    ...(signer === undefined || signer === from ? [] : [view(from, ownerCall(signer))]),
    ...named.flatMap((token) => [view(token, balance), view(token, symbolCall)]),
    ...[...new Set(feeds)].map((feed) => view(feed, feedCall)),
    ...listNameReads(BigInt(chainId), names).map((one) => view(one.to, one.data)),
  ];
}

/** Fetches what the node expects each call to read on the state before all of them, in two requests. */
async function fetchLikely(given: Given, rpc: Rpc, store: Store): Promise<void> {
  const { calls, signer, block } = given;
  const touched = await readTouched(rpc, [...calls, ...listViews(given)], block.hash);
  const wanted = new Map<Hex, Set<Hex>>(
    [
      block.coinbase,
      ...(signer === undefined ? [] : [signer]),
      ...calls.flatMap(({ from, to }) => [from, to]),
      ...listNamed(calls),
    ].map((address) => [address, new Set()]),
  );
  for (const { address, slots } of touched.flatMap((one) => one ?? [])) {
    const known = wanted.get(address) ?? new Set();
    for (const slot of slots) known.add(slot);
    wanted.set(address, known);
  }
  const slots = [...wanted.values()].reduce((sum, { size }) => sum + size, 0);
  if (wanted.size > limits.accounts || slots > limits.slots)
    throw new NotCapturable("it reads more state than a witness may hold");
  await store.add(wanted);
}
