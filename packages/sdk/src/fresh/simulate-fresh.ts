// Simulates a call on the newest block of a node: with validation, and with the gas, fees and block that it would be sent with, because contracts can
// read all of them. Nothing is sent. Everything that the node answers is parsed; an answer that does not fit is no result.
import { numberToHex, padHex } from "viem/utils";
import type { AllowanceBound, Bounds, Fresh } from "@countersign/wire";
import type { Hex } from "../types.ts";

/** A JSON-RPC request to the wallet's node. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

export type FreshCall = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
  /** As the caller set them. The node suggests the rest. */
  readonly fees: {
    readonly gas?: bigint | undefined;
    readonly gasPrice?: bigint | undefined;
    readonly maxFeePerGas?: bigint | undefined;
    readonly maxPriorityFeePerGas?: bigint | undefined;
  };
};

/** Thrown if nothing follows from the node's answers: it cannot simulate, is behind, forked, or answers nonsense. */
export class NotSimulated extends Error {
  override readonly name = "NotSimulated";
}

const slotSeconds = 12n;
/** The validator refuses older states, too. */
const maxAgeSeconds = 600n;
const probeGas = 100_000n;
const payerFunds = 10n ** 24n;
/** Bytecode that returns the native balances of the two addresses in its calldata. */
const tellBalances: Hex = "0x600035316000526020353160205260406000f3";
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const approvalTopic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const approvalForAllTopic = "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31";
/** TransferSingle and TransferBatch of ERC-1155. */
const itemTopics: ReadonlySet<string> = new Set([
  "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
  "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
]);
/** Where nodes log transfers of the native token, which are measured instead. */
const nativeLogs = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** Throws `NotSimulated` if nothing follows from the node's answers. */
export async function simulateFresh(ask: Ask, bounds: Bounds, call: FreshCall): Promise<Fresh> {
  const parent = await readParent(ask, bounds);
  const terms = await chooseTerms(ask, parent, call);
  if ("reason" in terms) return terms;
  const first = await run(ask, bounds, call, { parent, terms });
  if (first.succeeded || call.fees.gas !== undefined) return first;
  // An estimate can be too low, because the next block is not the one that it was made in.
  const twice = 2n * terms.gas;
  const gas = twice < parent.gasLimit ? twice : parent.gasLimit;
  return run(ask, bounds, call, { parent, terms: { ...terms, gas } });
}

async function run(ask: Ask, bounds: Bounds, call: FreshCall, place: Place): Promise<Fresh> {
  const body = makeRequest(bounds, call, place);
  const answer = await askSafely(ask, "eth_simulateV1", [body, numberToHex(place.parent.number)]);
  if (answer.kind === "refused") return { succeeded: false, reason: answer.why };
  return readAnswer(answer.value, bounds, place);
}

type Parent = {
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** Null on chains without a base fee. */
  readonly baseFee: bigint | null;
  readonly miner: Hex;
};
type Terms = { readonly gas: bigint; readonly maxFee: bigint; readonly tip: bigint };
type Place = { readonly parent: Parent; readonly terms: Terms };

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null ? (value as Members) : {};
const isHex = (value: unknown): value is Hex => typeof value === "string" && /^0x[0-9a-f]*$/i.test(value);
const quantity = (value: unknown): bigint => {
  if (!isHex(value) || value.length < 3 || value.length > 66) throw nonsense();
  return BigInt(value);
};
const lower = (value: Hex): Hex => value.toLowerCase() as Hex;
const nonsense = (): NotSimulated => new NotSimulated("the node's answer cannot be read");

/** The newest block. It must follow the one that was approved on. */
async function readParent(ask: Ask, { block }: Bounds): Promise<Parent> {
  const [latest, approved] = [
    await read(ask, "eth_getBlockByNumber", ["latest", false]),
    await read(ask, "eth_getBlockByNumber", [numberToHex(block.number), false]),
  ];
  const { number, timestamp, gasLimit, baseFeePerGas, miner } = membersOf(latest);
  const parent = {
    ...{ number: quantity(number), timestamp: quantity(timestamp), gasLimit: quantity(gasLimit) },
    baseFee: baseFeePerGas === undefined || baseFeePerGas === null ? null : quantity(baseFeePerGas),
    miner: isHex(miner) && miner.length === 42 ? lower(miner) : (`0x${"0".repeat(40)}` as const),
  };
  if (approved === null || parent.number < block.number)
    throw new NotSimulated(`the node has not reached block ${block.number}, on which it was approved`);
  const { hash } = membersOf(approved);
  if (!isHex(hash)) throw nonsense();
  const age = BigInt(Math.floor(Date.now() / 1000)) - parent.timestamp;
  if (age > maxAgeSeconds) throw new NotSimulated(`the node's newest block is ${age} seconds old`);
  if (lower(hash) !== block.hash)
    throw new NotSimulated(`block ${block.number}, on which it was approved, is not on the node's chain`);
  return parent;
}

async function chooseTerms(
  ask: Ask,
  parent: Parent,
  { fees, ...call }: FreshCall,
): Promise<Terms | { readonly succeeded: false; readonly reason: string }> {
  const price = quantity(await read(ask, "eth_gasPrice", []));
  const base = parent.baseFee ?? 0n;
  const suggested = price > base ? price - base : 1n;
  const maxFee = fees.maxFeePerGas ?? fees.gasPrice ?? 2n * base + suggested;
  const wanted = fees.maxPriorityFeePerGas ?? (fees.gasPrice === undefined ? suggested : maxFee);
  const tip = wanted < maxFee ? wanted : maxFee;
  if (fees.gas !== undefined) return { gas: fees.gas, maxFee, tip };
  const { from, to, value, data } = call;
  const estimate = await askSafely(ask, "eth_estimateGas", [
    { from, to, value: numberToHex(value), data },
    numberToHex(parent.number),
  ]);
  if (estimate.kind === "refused") return { succeeded: false, reason: estimate.why };
  const gas = (quantity(estimate.value) * 5n) / 4n;
  return { gas: gas < parent.gasLimit ? gas : parent.gasLimit, maxFee, tip };
}

/** Random, so that no contract can use it to detect a simulation. */
const randomAddress = (): Hex =>
  `0x${[...crypto.getRandomValues(new Uint8Array(20))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** The balances, the call, and the balances again. Each measurement has a payer of its own, who is given funds. */
function makeRequest({ changes }: Bounds, call: FreshCall, place: Place): object {
  const { gas } = place.terms;
  const probe = randomAddress();
  const price = pricesIn(place);
  const payers: Hex[] = [];
  const pay = (to: Hex, input: Hex): object => {
    const from = randomAddress();
    payers.push(from);
    return { from, to, input, gas: numberToHex(probeGas), ...price };
  };
  const nativeOf = (holder: Hex, other: Hex): object =>
    pay(probe, `${padHex(holder)}${padHex(other).slice(2)}`);
  const measures = (): readonly object[] =>
    changes.map(({ holder, token }) =>
      token === null ? nativeOf(holder, holder) : pay(token, `0x70a08231${padHex(holder).slice(2)}`),
    );
  const before = [...measures(), nativeOf(call.from, call.from)];
  const after = [nativeOf(call.from, payers.at(-1) ?? probe), ...measures()];
  const { from, to, value, data } = call;
  const itself = { from, to, value: numberToHex(value), input: data, gas: numberToHex(gas), ...price };
  const stateOverrides = {
    [probe]: { code: tellBalances },
    ...Object.fromEntries(payers.map((payer) => [payer, { balance: numberToHex(payerFunds) }])),
  };
  const calls = [...before, itself, ...after];
  return {
    blockStateCalls: [{ blockOverrides: overridesIn(place), stateOverrides, calls }],
    // Without validation nodes set the base fee to 0 and charge no fees.
    ...{ validation: true, traceTransfers: false },
  };
}

const pricesIn = ({ parent, terms }: Place): object =>
  parent.baseFee === null
    ? { gasPrice: numberToHex(terms.maxFee) }
    : { maxFeePerGas: numberToHex(terms.maxFee), maxPriorityFeePerGas: numberToHex(terms.tip) };

function overridesIn(place: Place): object {
  const { number, timestamp, gasLimit, miner, baseFee } = place.parent;
  return {
    ...{ number: numberToHex(number + 1n), time: numberToHex(timestamp + slotSeconds) },
    ...{ gasLimit: numberToHex(gasLimit), feeRecipient: miner, prevRandao: padHex(randomAddress()) },
    ...(baseFee === null ? {} : { baseFeePerGas: numberToHex(baseFeeOf(place)) }),
  };
}

/** The transaction waits until the base fee is not above its maximum. */
const baseFeeOf = ({ parent: { baseFee }, terms: { maxFee } }: Place): bigint =>
  baseFee === null || baseFee > maxFee ? maxFee : baseFee;

function readAnswer(value: unknown, bounds: Bounds, at: Place): Fresh {
  const [block] = Array.isArray(value) && value.length === 1 ? (value as readonly unknown[]) : [];
  const { calls, timestamp, miner } = membersOf(block);
  // A node that ignores the block's values would simulate with its own, which contracts can detect.
  if (
    quantity(timestamp) !== at.parent.timestamp + slotSeconds ||
    !isHex(miner) ||
    lower(miner) !== at.parent.miner
  )
    throw new NotSimulated("the node ignores the values of the simulated block");
  const count = bounds.changes.length;
  const all: readonly unknown[] = Array.isArray(calls) ? calls : [];
  if (all.length !== 2 * count + 3) throw nonsense();
  const [first, done, second] = all.slice(count, count + 3).map(membersOf);
  if (first === undefined || done === undefined || second === undefined) throw nonsense();
  if (quantity(done["status"]) !== 1n) return { succeeded: false, reason: reasonOf(done) };
  const gained = gainedBy(done, { first, second, price: priceOf(at) });
  return {
    succeeded: true,
    changes: bounds.changes.map(({ holder, token }, index) => {
      // Without the network fee, which the measurement includes.
      if (holder === bounds.account && token === null) return gained;
      const [was, is] = [wordOf(all[index]), wordOf(all[count + 3 + index])];
      return was === null || is === null ? null : is - was;
    }),
    ...readLogs(done["logs"], bounds.account),
  };
}

const priceOf = (place: Place): bigint => {
  const offered = baseFeeOf(place) + place.terms.tip;
  return offered < place.terms.maxFee ? offered : place.terms.maxFee;
};

type Around = { readonly first: Members; readonly second: Members; readonly price: bigint };

/** Some chains charge more than the gas, such as a fee for data. The payer of the first probe paid it as well. */
function gainedBy(done: Members, { first, second, price }: Around): bigint {
  const [before, after, payerLeft] = [wordOf(first), wordOf(second), wordOf(second, 1)];
  if (before === null || after === null || payerLeft === null) throw nonsense();
  const surcharge = payerFunds - payerLeft - quantity(first["gasUsed"]) * price;
  return after - before + quantity(done["gasUsed"]) * price + surcharge;
}

/** A word of a call's result. Null if it failed or answers otherwise. */
function wordOf(call: unknown, index = 0): bigint | null {
  const { status, returnData } = membersOf(call);
  if (status !== "0x1" || !isHex(returnData) || returnData.length < 66 + 64 * index) return null;
  return BigInt(`0x${returnData.slice(2 + 64 * index, 66 + 64 * index)}`);
}

type Outgoing = { readonly token: Hex; readonly amount: bigint };
type Taken = { readonly outgoing: readonly Outgoing[]; readonly allowances: readonly AllowanceBound[] };

/** The events by which something leaves the account, or may be taken from it. Amounts of listed balances are measured instead. */
function readLogs(value: unknown, account: Hex): Taken {
  const logs: unknown = value ?? [];
  if (!Array.isArray(logs)) throw nonsense();
  const found = logs.map(readLog).filter(({ token }) => token !== nativeLogs);
  return {
    outgoing: found.flatMap((log) => outgoingOf(log, padHex(account))),
    allowances: found.flatMap((log) => allowancesOf(log, padHex(account))),
  };
}

type Log = { readonly token: Hex; readonly topics: readonly string[]; readonly amount: bigint };

function readLog(log: unknown): Log {
  const { address, topics, data } = membersOf(log);
  if (!isHex(address) || !Array.isArray(topics) || !topics.every(isHex) || !isHex(data)) throw nonsense();
  // An NFT has its id as a fourth topic, and counts as one.
  const amount = topics.length === 4 ? 1n : data.length === 66 ? BigInt(data) : 0n;
  return { token: lower(address), topics: (topics as readonly Hex[]).map(lower), amount };
}

function outgoingOf({ token, topics, amount }: Log, account: Hex): readonly Outgoing[] {
  const [name = "", first, second, third] = topics;
  // Those of ERC-1155 begin with the operator.
  const [from, to] = itemTopics.has(name) ? [second, third] : name === transferTopic ? [first, second] : [];
  return from === account && to !== account ? [{ token, amount }] : [];
}

function allowancesOf({ token, topics, amount }: Log, account: Hex): readonly AllowanceBound[] {
  const [name, owner, spender = ""] = topics;
  if (owner !== account || (name !== approvalTopic && name !== approvalForAllTopic)) return [];
  return [{ token, spender: `0x${spender.slice(26)}`, most: amount }];
}

const reasonOf = (done: Members): string | null => {
  const { message } = membersOf(done["error"]);
  return typeof message === "string" ? printable(message) : null;
};

/** It may be the text of an unknown contract. */
const printable = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, 200);

async function read(ask: Ask, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await ask(method, params);
  } catch (error) {
    throw new NotSimulated(`the node did not answer ${method}: ${shortOf(error)}`, { cause: error });
  }
}

type Answer =
  { readonly kind: "answer"; readonly value: unknown } | { readonly kind: "refused"; readonly why: string };

/** Nodes report a call that cannot start, or reverts, as an error of the request. */
const refusals = [
  { code: -38014, text: /insufficient funds/i, why: "insufficient funds" },
  { code: -38013, text: /intrinsic gas|out of gas|exceeds allowance/i, why: "out of gas" },
  { code: 3, text: /execution reverted/i, why: "execution reverted" },
];

async function askSafely(ask: Ask, method: string, params: readonly unknown[]): Promise<Answer> {
  try {
    return { kind: "answer", value: await ask(method, params) };
  } catch (error) {
    const [code, text] = [codeOf(error), detailsOf(error)];
    const known = refusals.find((one) => one.code === code || one.text.test(text));
    if (known !== undefined) return { kind: "refused", why: known.why };
    throw new NotSimulated(`the node cannot simulate (${method}): ${shortOf(error)}`, { cause: error });
  }
}

function* chainOf(error: unknown): Generator<Error> {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    yield at;
  }
}

const codeOf = (error: unknown): unknown => {
  for (const one of chainOf(error))
    if ("code" in one && typeof one.code === "number" && one.code !== -1) return one.code;
  return undefined;
};

const detailsOf = (error: unknown): string =>
  [...chainOf(error)]
    .map((one) => ("details" in one ? String(one.details) : one.message.split("\n")[0]))
    .join(" ");

/** One line, without the URL of the node, which can hold a key. */
const shortOf = (error: unknown): string => {
  const [first] = [...chainOf(error)].map((one) =>
    "shortMessage" in one ? String(one.shortMessage) : one.message,
  );
  return printable((first ?? "unknown error").split("\n")[0] ?? "").replace(/https?:\/\/\S+/g, "[node]");
};
