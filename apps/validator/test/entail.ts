/** Builders for the comparison of request and transaction. A test states only what it is about. */
import { exactly, native, token, type Effect, type Flow, type Reading } from "../src/effects.ts";
import type { AssetRef, Decimal, Intent, PartyRef, Portion, Quantity, Step } from "../src/intent.ts";
import type { Address, Context, Proposal } from "../src/proposal.ts";
import type { Registry, Token } from "../src/registry.ts";
import { defaultPolicy } from "../src/lists/default-policy.ts";
import type { Venues, World } from "../src/entail/world.ts";
import { blankEffect, blankProposal } from "./blank.ts";

const blankStep: Step = {
  acts: ["transfer"],
  verb: { word: "Send", span: [0, 4] },
  gives: [],
  gets: [],
  to: [],
  from: null,
  spender: null,
  onBehalfOf: null,
  venues: [],
  chain: null,
  toChain: null,
  slippageBps: null,
  limitPrice: null,
  deadline: null,
  gas: null,
  partialFill: null,
  admin: null,
  fee: null,
  conditions: [],
  span: [0, 10],
};
export const aStep = (given: Partial<Step> = {}): Step => ({ ...blankStep, ...given });

const anIntent = (given: Partial<Intent>): Intent => ({
  steps: [],
  negations: [],
  tokens: [],
  ambiguities: [],
  language: "en",
  notARequest: null,
  unicode: [],
  injections: [],
  ...given,
});

export const me: Address = "0x1111111111111111111111111111111111111111";
export const bob: Address = "0x2222222222222222222222222222222222222222";
export const mallory: Address = "0x6666666666666666666666666666666666666666";
export const usdc: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const weth: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const router: Address = "0xe592427a0aece92de3edee1f18e0157c05861564";

const tokens: readonly Token[] = [
  { chain: 1, address: usdc, symbol: "USDC", decimals: 6, core: true },
  { chain: 1, address: weth, symbol: "WETH", decimals: 18, core: true },
];
const ethereum = { id: 1, name: "Ethereum", coin: "ETH", wrapped: weth };
const base = { id: 8453, name: "Base", coin: "ETH", wrapped: null };

const registry: Registry = {
  token: (chain, address) => tokens.find((one) => one.chain === chain && one.address === address) ?? null,
  named: (chain, symbol) =>
    tokens.filter((one) => one.chain === chain && one.symbol === symbol.toUpperCase()),
  isSymbol: (word) => tokens.some((one) => one.symbol === word.toUpperCase()),
  isEnglish: () => false,
  collection: () => null,
  chain: (id) => [ethereum, base].find((one) => one.id === id) ?? null,
  chainNamed: (phrase) => [ethereum, base].find((one) => one.name.toLowerCase() === phrase) ?? null,
  sources: [],
};

const protocols: Venues = {
  at: (_, address) => (address === router ? [{ protocol: "uniswap_v3", role: "router" }] : []),
  satisfies: (said, protocol) => said === protocol || (said === "uniswap" && protocol === "uniswap_v3"),
  all: new Map([["lender", { verbs: { stake: ["supply"] } }]]),
};

export const dec = (text: string): Decimal => {
  const [whole = "0", fraction = ""] = text.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
};
export const symbol = (name: string): AssetRef => ({ kind: "symbol", symbol: name, span: [0, 1] });
export const exact = (text: string): Quantity => ({ kind: "exact", n: dec(text), others: [], span: [0, 1] });
export const portion = (amount: string | null, name: string | null): Portion => ({
  quantity: amount === null ? null : exact(amount),
  asset: name === null ? null : symbol(name),
});
export const address = (of: Address): PartyRef => ({ kind: "address", address: of, span: [0, 1] });

const where = { call: "proposed_tx", field: "value" };
export const flow = (asset: "native" | Address, amount: bigint | Flow["amount"]): Flow => ({
  asset: asset === "native" ? native : token(asset),
  amount: typeof amount === "bigint" ? exactly(amount) : amount,
  where,
});

export const anEffect = (done: Partial<Effect>): Effect => ({ ...blankEffect, target: usdc, where, ...done });

export const anApproval = (spender: Address, amount: bigint): Effect =>
  anEffect({
    act: "approve",
    authority: { spender, asset: token(usdc), amount: exactly(amount), until: null, signed: false, where },
  });

export function aWorld(
  steps: readonly Step[],
  effects: readonly Effect[],
  more: { readonly context?: Partial<Context>; readonly intent?: Partial<Intent> } = {},
): World {
  const proposal: Proposal = {
    ...blankProposal,
    words: "words",
    actor: me,
    now: 1_700_000_000n,
    context: { ...blankProposal.context, ...more.context },
  };
  const intent = anIntent({ steps, ...more.intent });
  const net: Reading["net"] = { leaves: [], arrives: [], authority: [], others: [], admin: [] };
  const reading: Reading = { leaves: [], effects, net, limit: null, parties: [] };
  return { proposal, intent, reading, registry, protocols, policy: defaultPolicy };
}
