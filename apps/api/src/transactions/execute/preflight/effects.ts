// Converts the logs of contracts into effects on one wallet. Logs may contain anything: nothing here throws, and an
// event that looks relevant but cannot be decoded is stored by its digest, so that a change of it is still noticed.
import { keccak256, toEventSelector } from "viem/utils";
import type { Log } from "../../../adapters/chain/index.ts";
import type { Hex } from "../../transaction.ts";

/**
 * A transfer between the wallet and another party, summed per asset and party. Amounts are decimal strings,
 * because they are stored.
 */
export type Movement = {
  readonly asset: Hex;
  /** The NFT's id. Null for fungible tokens. */
  readonly id: string | null;
  readonly party: Hex;
  readonly amount: string;
};

/** How much a spender may take from now on. `all` is a whole collection: 1 or 0. */
export type Allowance = {
  readonly kind: "amount" | "item" | "all" | "permit2";
  readonly asset: Hex;
  readonly id: string | null;
  readonly spender: Hex;
  readonly amount: string;
};

/** A relevant event about the wallet that cannot be decoded. */
type Unreadable = { readonly address: Hex; readonly digest: Hex; readonly times: number };

export type Effects = {
  readonly out: readonly Movement[];
  readonly in: readonly Movement[];
  readonly allowances: readonly Allowance[];
  readonly unreadable: readonly Unreadable[];
};

/** The address under which nodes report transfers of the native token. */
export const nativeAsset: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const nobody: Hex = "0x0000000000000000000000000000000000000000";
/** The same address on every chain. */
const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

type Move = {
  readonly asset: Hex;
  readonly id: string | null;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
};
type Grant = Omit<Allowance, "amount"> & { readonly owner: Hex; readonly amount: bigint };
type Read = { readonly moves?: readonly Move[]; readonly grant?: Grant };
/** Returns undefined for a malformed event. */
type Reader = (log: Log) => Read | undefined;

const wordsOf = (data: Hex): readonly Hex[] =>
  (data.slice(2).match(/.{64}/g) ?? []).map((word): Hex => `0x${word}`);

/** Undefined if the word contains more than an address. */
const addressIn = (word: Hex | undefined): Hex | undefined =>
  word !== undefined && /^0x0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(26)}` : undefined;

const numberIn = (word: Hex | undefined): bigint | undefined =>
  word === undefined ? undefined : BigInt(word);

/** The parties in the topics, and the data in words. Undefined unless the numbers match exactly. */
function parts({ topics, data }: Log, parties: number, words: number) {
  const named = topics.slice(1, 1 + parties).map(addressIn);
  if (data.length !== 2 + 64 * words || named.length !== parties || named.includes(undefined))
    return undefined;
  return { named: named as readonly Hex[], words: wordsOf(data) };
}

/** ERC-20 with three topics, ERC-721 with the id as a fourth. */
const readTransfer: Reader = (log) => {
  const { address: asset, topics } = log;
  const read = topics.length === 4 ? parts(log, 2, 0) : topics.length === 3 ? parts(log, 2, 1) : undefined;
  const [from, to] = read?.named ?? [];
  if (read === undefined || from === undefined || to === undefined) return undefined;
  const number = numberIn(topics[3]);
  if (number === undefined)
    return { moves: [{ asset, id: null, from, to, amount: numberIn(read.words[0]) ?? 0n }] };
  // A token minted for the wallet gets the next id, which may be another one by then.
  const id = from === nobody ? "new" : number.toString();
  return { moves: [{ asset, id, from, to, amount: 1n }] };
};

const readTransferSingle: Reader = (log) => {
  const read = log.topics.length === 4 ? parts(log, 3, 2) : undefined;
  const [, from, to] = read?.named ?? [];
  const [id, amount] = (read?.words ?? []).map(BigInt);
  if (from === undefined || to === undefined || id === undefined || amount === undefined) return undefined;
  return { moves: [{ asset: log.address, id: id.toString(), from, to, amount }] };
};

/** Two arrays of the same length in ABI encoding, and nothing else. */
function twoLists(words: readonly Hex[]): readonly (readonly [bigint, bigint])[] | undefined {
  const length = (words.length - 4) / 2;
  if (!Number.isInteger(length) || length < 0) return undefined;
  const [ids, amounts, idCount, ...rest] = words.map(BigInt);
  const hasForm = ids === 64n && amounts === BigInt(32 * (3 + length)) && idCount === BigInt(length);
  if (!hasForm || rest[length] !== BigInt(length)) return undefined;
  return rest.slice(0, length).map((id, at) => [id, rest[length + 1 + at] ?? 0n] as const);
}

const readTransferBatch: Reader = (log) => {
  const [, from, to] = log.topics.slice(1).map(addressIn);
  const isWhole = log.topics.length === 4 && (log.data.length - 2) % 64 === 0;
  const pairs = isWhole ? twoLists(wordsOf(log.data)) : undefined;
  if (from === undefined || to === undefined || pairs === undefined) return undefined;
  return {
    moves: pairs.map(([id, amount]) => ({ asset: log.address, id: id.toString(), from, to, amount })),
  };
};

const readApproval: Reader = (log) => {
  const { address: asset, topics } = log;
  const read = topics.length === 4 ? parts(log, 2, 0) : topics.length === 3 ? parts(log, 2, 1) : undefined;
  const [owner, spender] = read?.named ?? [];
  if (read === undefined || owner === undefined || spender === undefined) return undefined;
  const number = numberIn(topics[3]);
  return number === undefined
    ? { grant: { kind: "amount", asset, id: null, owner, spender, amount: numberIn(read.words[0]) ?? 0n } }
    : {
        grant: {
          kind: "item",
          asset,
          id: number.toString(),
          owner,
          spender,
          amount: spender === nobody ? 0n : 1n,
        },
      };
};

const readApprovalForAll: Reader = (log) => {
  const read = log.topics.length === 3 ? parts(log, 2, 1) : undefined;
  const [owner, spender] = read?.named ?? [];
  const amount = numberIn(read?.words[0]);
  if (owner === undefined || spender === undefined || amount === undefined || amount > 1n) return undefined;
  return { grant: { kind: "all", asset: log.address, id: null, owner, spender, amount } };
};

/** The data begins with the amount. An expiry and a nonce may follow. */
const readPermit2 =
  (words: number): Reader =>
  (log) => {
    const read = log.topics.length === 4 ? parts(log, 3, words) : undefined;
    const [owner, asset, spender] = read?.named ?? [];
    const amount = numberIn(read?.words[0]);
    if (owner === undefined || asset === undefined || spender === undefined || amount === undefined)
      return undefined;
    return { grant: { kind: "permit2", asset, id: null, owner, spender, amount } };
  };

/** Wrapped native tokens are minted and burnt without a transfer event. */
const readWrapping =
  (direction: "made" | "unmade"): Reader =>
  (log) => {
    const read = log.topics.length === 2 ? parts(log, 1, 1) : undefined;
    const [holder] = read?.named ?? [];
    const amount = numberIn(read?.words[0]);
    if (holder === undefined || amount === undefined) return undefined;
    const [from, to] = direction === "made" ? [nobody, holder] : [holder, nobody];
    return { moves: [{ asset: log.address, id: null, from, to, amount }] };
  };

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [toEventSelector("Transfer(address,address,uint256)"), readTransfer],
  [toEventSelector("TransferSingle(address,address,address,uint256,uint256)"), readTransferSingle],
  [toEventSelector("TransferBatch(address,address,address,uint256[],uint256[])"), readTransferBatch],
  [toEventSelector("Approval(address,address,uint256)"), readApproval],
  [toEventSelector("ApprovalForAll(address,address,bool)"), readApprovalForAll],
  [toEventSelector("Deposit(address,uint256)"), readWrapping("made")],
  [toEventSelector("Withdrawal(address,uint256)"), readWrapping("unmade")],
]);

/** Accepted from the one contract only: any contract could claim allowances for other tokens. */
const permit2Readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [toEventSelector("Approval(address,address,address,uint160,uint48)"), readPermit2(2)],
  [toEventSelector("Permit(address,address,address,uint160,uint48,uint48)"), readPermit2(3)],
]);

function readerOf({ address, topics: [name = "0x"] }: Log): Reader | undefined {
  return (address === permit2 ? permit2Readers.get(name) : undefined) ?? readers.get(name);
}

type Found = {
  readonly out: Map<string, Movement>;
  readonly in: Map<string, Movement>;
  readonly allowances: Map<string, Allowance>;
  readonly unreadable: Map<string, Unreadable>;
};

/** Returns all effects on one wallet that the logs of one call report. In lower case. */
export function effectsOn(escrow: Hex, logs: readonly Log[]): Effects {
  const found: Found = { out: new Map(), in: new Map(), allowances: new Map(), unreadable: new Map() };
  for (const log of logs) {
    const reader = readerOf(log);
    if (reader === undefined) continue;
    const read = reader(log);
    if (read === undefined) noteUnreadable(found.unreadable, log, escrow);
    for (const move of read?.moves ?? []) noteMove(found, move, escrow);
    if (read?.grant?.owner === escrow) noteGrant(found.allowances, read.grant);
  }
  return {
    out: inOrder(found.out),
    in: inOrder(found.in),
    allowances: inOrder(found.allowances),
    unreadable: inOrder(found.unreadable),
  };
}

const inOrder = <T>(found: ReadonlyMap<string, T>): readonly T[] =>
  [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);

function noteMove(found: Found, { from, to, ...move }: Move, escrow: Hex): void {
  // Transfers to itself and transfers of zero have no effect.
  if (from === to || move.amount === 0n) return;
  if (from === escrow) add(found.out, { ...move, party: to });
  if (to === escrow) add(found.in, { ...move, party: from });
}

type Sum = Omit<Movement, "amount"> & { readonly amount: bigint };

function add(sums: Map<string, Movement>, { asset, id, party, amount }: Sum): void {
  const key = `${asset} ${id ?? ""} ${party}`;
  const sum = BigInt(sums.get(key)?.amount ?? 0n) + amount;
  sums.set(key, { asset, id, party, amount: sum.toString() });
}

/** The last event counts. A single NFT has one spender, so another one replaces the first. */
function noteGrant(allowances: Map<string, Allowance>, { kind, asset, id, spender, amount }: Grant): void {
  const key = kind === "item" ? `item ${asset} ${id ?? ""}` : `${kind} ${asset} ${spender}`;
  allowances.set(key, { kind, asset, id, spender, amount: amount.toString() });
}

function noteUnreadable(found: Map<string, Unreadable>, log: Log, escrow: Hex): void {
  const { address, topics, data } = log;
  const said = [...topics, data].map((part) => part.slice(2)).join("");
  // Events that do not contain the wallet concern others.
  if (!said.includes(escrow.slice(2))) return;
  const digest = keccak256(`0x${said}`);
  const key = `${address} ${digest}`;
  found.set(key, { address, digest, times: (found.get(key)?.times ?? 0) + 1 });
}
