// Captures the state that a call reads. A node is first asked which state that probably is; then the call is executed, and
// whatever is still missing is fetched. The result is proven before it is returned.
import { encodeFunctionData, keccak256, parseAbi } from "viem/utils";
import {
  feedCall,
  findFeed,
  limits,
  listMentions,
  MissingBlockHash,
  nextBlock,
  noCode,
  readHeader,
  sceneOf,
  simulate,
  verifyWitness,
  type Call,
  type Hardfork,
  type MissingState,
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
  readonly call: NodeCall;
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
  const { block, hardfork, chainId } = given;
  const store = makeStore(rpc, block.hash);
  const gas = await fetchLikely(given, rpc, store);
  const bare = {
    ...({ version: 1, hardfork } as const),
    ...{ chainId: quantity(BigInt(chainId)), blockHash: block.hash, call: callOf(given, gas) },
  };
  const headers: Hex[] = [block.header];
  for (;;) {
    const { source: _, ...scene } = sceneOf(
      verifyWitness({ ...bare, headers, accounts: {}, codes: {}, nodes: [] }),
    );
    try {
      const { source, onMissing } = store;
      const simulation = await simulate({ ...scene, source }, { onMissing, checkBudget });
      const witness = { ...bare, headers, ...store.take() };
      verifyWitness(witness);
      return { witness, simulation };
    } catch (error) {
      if (!(error instanceof MissingBlockHash)) throw error;
      await addHeaders(headers, { rpc, block, oldest: error.number });
    }
  }
}

/** Fees as wallets offer them: twice the base fee, and a tip. */
function callOf({ call, block, hardfork }: Given, gas: bigint): Call {
  const tip = 10n ** 8n;
  const base = nextBlock(readHeader(block.header, hardfork)).baseFeePerGas;
  return {
    ...call,
    gas: quantity(gas),
    maxFeePerGas: quantity(2n * base + tip),
    maxPriorityFeePerGas: quantity(tip),
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

/** Calls whose state is read in addition to the transaction's own: balances and price feeds. */
function listViews({ chainId, call }: Given): readonly NodeCall[] {
  const named = call.data === "0x" ? [] : [call.to, ...listMentions(call.data)];
  const balance = encodeFunctionData({ abi, args: [call.from] });
  const feeds = ["native" as const, ...named].flatMap((asset) => findFeed(BigInt(chainId), asset) ?? []);
  const view = (to: Hex, data: Hex): NodeCall => ({ from: call.from, to, data, value: "0x0" });
  return [
    ...[...new Set(named)].map((token) => view(token, balance)),
    ...[...new Set(feeds)].map((feed) => view(feed, feedCall)),
  ];
}

/** Fetches what the node expects the call to read, in two requests. Returns the gas to execute it with. */
async function fetchLikely(given: Given, rpc: Rpc, store: Store): Promise<bigint> {
  const { call, block } = given;
  const touched = await readTouched(rpc, [call, ...listViews(given)], block.hash);
  const wanted = new Map<Hex, Set<Hex>>(
    [call.from, call.to, block.coinbase].map((address) => [address, new Set()]),
  );
  for (const { address, slots } of touched.flatMap((one) => one?.accounts ?? [])) {
    const known = wanted.get(address) ?? new Set();
    for (const slot of slots) known.add(slot);
    wanted.set(address, known);
  }
  const slots = [...wanted.values()].reduce((sum, { size }) => sum + size, 0);
  if (wanted.size > limits.accounts || slots > limits.slots)
    throw new NotCapturable("it reads more state than a witness may hold");
  await store.add(wanted);
  const used = touched[0]?.gasUsed;
  const gas = used === undefined ? 1_000_000n : (used * 3n) / 2n + 50_000n;
  return gas < limits.gas ? gas : limits.gas;
}
