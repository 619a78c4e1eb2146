/** Test support for protocol files: samples, a small table of tokens, and the real engine. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { AbiCoder, concat, Interface, solidityPacked } from "ethers";
import { readBytes } from "../src/bytes/read-bytes.ts";
import { exactly, type Amount, type Asset, type Effect, type Flow, type Reading } from "../src/effects.ts";
import type { Address, Authorization, Call, Hex, Proposal, TypedData } from "../src/proposal.ts";
import type { Registry, Token } from "../src/registry.ts";
import type { Protocols } from "../src/protocols/load-protocols.ts";
import { blankProposal } from "./blank.ts";

export const ME: Address = "0x1111111111111111111111111111111111111111";
const NOW = 1_763_200_000n;

type SampleCall = {
  readonly to: string | null;
  readonly value?: string;
  readonly data?: string;
  /** Instead of data: a signature and its arguments, encoded by ethers. */
  readonly function?: string;
  readonly args?: readonly unknown[];
};

type Expected = {
  readonly act?: string;
  readonly [member: string]: unknown;
};

export type Sample = {
  readonly name: string;
  readonly chain: number;
  readonly from?: string | null;
  readonly call?: SampleCall;
  readonly calls?: readonly SampleCall[];
  readonly typedData?: TypedData;
  readonly authorizations?: readonly Authorization[];
  readonly effects: readonly Expected[];
};

const tokens: readonly (readonly [number, string, string, number])[] = [
  [1, "USDC", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", 6],
  [1, "USDT", "0xdac17f958d2ee523a2206206994597c13d831ec7", 6],
  [1, "DAI", "0x6b175474e89094c44da98b954eedeac495271d0f", 18],
  [1, "WETH", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", 18],
  [1, "WBTC", "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", 8],
  [1, "UNI", "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", 18],
  [1, "LINK", "0x514910771af9ca656af840dff83e8264ecf986ca", 18],
  [1, "stETH", "0xae7ab96520de3a18e5e111b5eaab095312d7fe84", 18],
  [8453, "USDC", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", 6],
  [8453, "WETH", "0x4200000000000000000000000000000000000006", 18],
  [11155111, "USDC", "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238", 6],
  [11155111, "WETH", "0xfff9976782d46cc05630d1f6ebab18b2324d6b14", 18],
];

const wrappedCoin: Readonly<Record<number, Address>> = {
  1: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  10: "0x4200000000000000000000000000000000000006",
  56: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
  137: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
  8453: "0x4200000000000000000000000000000000000006",
  42161: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  43114: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
  11155111: "0xfff9976782d46cc05630d1f6ebab18b2324d6b14",
};

/** A few tokens, so that a sample does not depend on the tables the service ships with. */
export const smallRegistry = (): Registry => {
  const known = new Map<string, Token>();
  for (const [chain, symbol, address, decimals] of tokens) {
    known.set(`${chain}:${address}`, { chain, symbol, address: address as Address, decimals, core: true });
  }
  const all = [...known.values()];
  return {
    token: (chain, address) => known.get(`${chain}:${address}`) ?? null,
    named: (chain, symbol) => all.filter((each) => each.chain === chain && each.symbol === symbol),
    isSymbol: (word) => all.some(({ symbol }) => symbol === word),
    isEnglish: () => false,
    collection: () => null,
    chain: (id) => ({ id, name: String(id), coin: "ETH", wrapped: wrappedCoin[id] ?? null }),
    chainNamed: () => null,
    sources: [],
  };
};

/** Bytes inside an argument: a call, other arguments, MultiSend's records, or concatenated pieces. */
const encodeNested = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(encodeNested);
  if (typeof value !== "object" || value === null) return value;
  const part = value as Record<string, unknown>;
  if (typeof part["function"] === "string")
    return encodeCall(part["function"], part["args"] as readonly unknown[]);
  if (Array.isArray(part["types"])) {
    return AbiCoder.defaultAbiCoder().encode(
      part["types"] as string[],
      encodeNested(part["values"]) as unknown[],
    );
  }
  if (Array.isArray(part["records"])) return concat((part["records"] as PackedRecord[]).map(packRecord));
  if (Array.isArray(part["packed"])) return concat(encodeNested(part["packed"]) as string[]);
  throw new Error("unknown nested argument");
};

type PackedRecord = {
  readonly operation?: number;
  readonly to: string;
  readonly value?: string;
  readonly data: unknown;
};

export const packRecord = ({ operation, to, value, data }: PackedRecord): string => {
  const bytes = encodeNested(data) as string;
  return solidityPacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [operation ?? 0, to, value ?? 0, (bytes.length - 2) / 2, bytes],
  );
};

export const encodeCall = (signature: string, args: readonly unknown[]): Hex => {
  const contract = new Interface([signature]);
  const name = contract.fragments[0]?.format("sighash");
  return contract.encodeFunctionData(name ?? "", encodeNested(args) as unknown[]).toLowerCase() as Hex;
};

const callOf = (call: SampleCall, index: number, several: boolean): Call => ({
  at: several ? `proposed_tx.transactions[${index}]` : "proposed_tx",
  to: call.to === null ? null : (call.to.toLowerCase() as Address),
  value: BigInt(call.value ?? 0),
  data: (call.function === undefined
    ? (call.data ?? "0x")
    : encodeCall(call.function, call.args ?? [])) as Hex,
});

/** A request with only the parts that a test is about. */
export const aProposal = (parts: Partial<Proposal> = {}): Proposal => ({
  ...blankProposal,
  actor: ME,
  now: NOW,
  ...parts,
});

export const aCall = (call: SampleCall): Call => callOf(call, 0, false);

export const proposalOf = (sample: Sample): Proposal => {
  const calls = sample.calls ?? (sample.call === undefined ? [] : [sample.call]);
  return aProposal({
    calls: calls.map((call, i) => callOf(call, i, sample.calls !== undefined)),
    typedData: sample.typedData ?? null,
    authorizations: (sample.authorizations ?? []).map((each) => ({
      ...each,
      chainId: BigInt(String(each.chainId)),
    })),
    chain: { id: sample.chain, assumed: false },
    actor: sample.from === undefined ? ME : ((sample.from?.toLowerCase() as Address | undefined) ?? null),
  });
};

export const readSample = (protocols: Protocols, sample: Sample): Reading =>
  readBytes(proposalOf(sample), { registry: smallRegistry(), protocols });

/** Empty if the file is missing: the test that requires one reports it. */
export const samplesOf = (id: string): readonly Sample[] => {
  const file = path.join(import.meta.dirname, "../src/protocols", `${id}.samples.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly Sample[]) : [];
};

const assetText = (asset: Asset | null): string => {
  if (asset === null) return "account";
  if (asset.kind === "token") return asset.address;
  if (asset.kind === "nft") return `${asset.address}#${asset.id === null ? "*" : asset.id.toString()}`;
  return asset.kind;
};

const amountText = ({ least, most, everything }: Amount): Record<string, unknown> => ({
  least: least.toString(),
  most: most === 2n ** 256n - 1n ? "max" : most.toString(),
  ...(everything === true ? { everything } : {}),
});

const flowText = ({ asset, amount }: Pick<Flow, "asset" | "amount">): Record<string, unknown> => ({
  asset: assetText(asset),
  ...amountText(amount),
});

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item)),
  );

const describeTerms = ({ faults, ...terms }: Effect["terms"]): unknown =>
  plain({ ...terms, ...(faults === undefined ? {} : { faults: faults.map(({ text }) => text) }) });

/** Describes an effect in the form that samples use. */
export const describeEffect = (effect: Effect): Record<string, unknown> => ({
  act: effect.act,
  gives: effect.gives.map(flowText),
  gets: effect.gets.map(flowText),
  payer: effect.payer,
  receiver: effect.receiver,
  authority:
    effect.authority === null
      ? null
      : {
          spender: effect.authority.spender,
          ...flowText({
            asset: effect.authority.asset ?? { kind: "unsaid", why: "" },
            amount: effect.authority.amount,
          }),
          asset: assetText(effect.authority.asset),
          until: effect.authority.until?.toString() ?? null,
          signed: effect.authority.signed,
        },
  fees: effect.fees.map(({ to, asset, share }) => ({
    to,
    asset: assetText(asset),
    ...("bps" in share ? { bps: share.bps.toString() } : amountText(share)),
  })),
  venue: effect.venue,
  protocol: effect.protocol,
  toChain: effect.toChain,
  deadline: effect.deadline?.toString() ?? null,
  terms: describeTerms(effect.terms),
  admin: plain(effect.admin),
  choices: effect.choices.map(({ what, value, known }) => ({ what, value, known })),
  knowledge: effect.knowledge,
  function: effect.function,
  target: effect.target,
});

/** Addresses may have checksum capitals. Shorthand like "1e18" is not accepted: amounts are base units. */
export const normaliseExpected = (value: unknown): unknown => {
  if (typeof value === "string") return /^0x[0-9a-fA-F]{40}(#.*)?$/.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(normaliseExpected);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "exactly");
  const exact = (value as { readonly exactly?: string }).exactly;
  const amount = exact === undefined ? {} : amountText(exactly(BigInt(exact)));
  return Object.fromEntries([
    ...entries.map(([k, v]) => [k, normaliseExpected(v)]),
    ...Object.entries(amount),
  ]);
};
