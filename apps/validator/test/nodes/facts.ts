/** The facts of a harmless payment to start from: a test states only what differs. */
import { defaultPolicy } from "../../src/lists/default-policy.ts";
import {
  MAX_UINT,
  exactly,
  native,
  type Asset,
  type Effect,
  type Flow,
  type Reading,
} from "../../src/effects.ts";
import { slots, type Comparison, type Entailment } from "../../src/entailment.ts";
import type {
  AddressList,
  ContractData,
  ContractRecord,
  ExecutedSwap,
  Facts,
  Policy,
  Simulation,
  Stranger,
} from "../../src/facts.ts";
import type { Intent, Step } from "../../src/intent.ts";
import type { Address, Proposal } from "../../src/proposal.ts";
import type { Registry, Token } from "../../src/registry.ts";
import { findBeneficiaries } from "../../src/validate/beneficiaries.ts";
import { groupEffects } from "../../src/validate/group-effects.ts";
import { newDraft } from "../../src/words/drafts.ts";
import { blankEffect, blankProposal } from "../blank.ts";

export const me: Address = "0xa11ce00000000000000000000000000000000001";
export const bob: Address = "0xb0b0000000000000000000000000000000000b0b";
export const stranger: Address = "0x57a9e12345678901234567890123456789012345";
export const router: Address = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45";
export const usdc: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const weth: Address = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
export const now = 1_800_000_000n;

export const usdcAsset: Asset = { kind: "token", address: usdc };
export const wethAsset: Asset = { kind: "token", address: weth };

export const place = { call: "proposed_tx", field: "data" };
export const aFlow = (
  asset: Asset,
  amount: bigint | { least: bigint; most: bigint; everything?: true },
): Flow => ({
  asset,
  amount: typeof amount === "bigint" ? exactly(amount) : amount,
  where: place,
});

export const anEffect = (given: Partial<Effect> = {}): Effect => ({
  ...blankEffect,
  gives: [aFlow(native, 10n ** 17n)],
  receiver: bob,
  target: bob,
  where: place,
  ...given,
});

/** 3,000 USDC for at least one WETH, to the account itself. */
export const aSwap = (given: Partial<Effect> = {}): Effect =>
  anEffect({
    act: "swap",
    gives: [aFlow(usdcAsset, 3_000_000_000n)],
    gets: [aFlow(wethAsset, { least: 10n ** 18n, most: MAX_UINT })],
    receiver: "self",
    venue: "uniswap_v3",
    protocol: "uniswap_v3",
    knowledge: "bound",
    target: router,
    function: "exactInputSingle",
    deadline: now + 600n,
    ...given,
  });

export const anApproval = (spender: Address, most: bigint, signed = false): Effect =>
  anEffect({
    act: "approve",
    gives: [],
    receiver: null,
    target: usdc,
    function: "approve",
    authority: {
      spender,
      asset: usdcAsset,
      amount: { least: 0n, most },
      until: signed ? now + 600n : null,
      signed,
      where: place,
    },
  });

export const aLeaf = (given: Partial<Reading["leaves"][number]> = {}): Reading["leaves"][number] => ({
  where: "proposed_tx",
  depth: 0,
  sender: "self",
  to: bob,
  value: 0n,
  data: "0x",
  delegatecall: false,
  protocol: null,
  function: null,
  knowledge: "standard",
  args: [],
  encoding: [],
  place: null,
  ...given,
});

export const aReading = (given: Partial<Reading> = {}): Reading => ({
  leaves: [aLeaf()],
  effects: [anEffect()],
  net: {
    leaves: [{ asset: native, most: 10n ** 17n, everything: false }],
    arrives: [],
    authority: [],
    others: [],
    admin: [],
  },
  limit: null,
  parties: [{ address: bob, role: "to", where: place }],
  ...given,
});

export const aProposal = (given: Partial<Proposal> = {}): Proposal => ({
  ...blankProposal,
  words: `Send 0.1 ETH to ${bob}`,
  calls: [{ at: "proposed_tx", to: bob, value: 10n ** 17n, data: "0x" }],
  actor: me,
  now,
  gas: { ...blankProposal.gas, limit: 100_000n },
  ...given,
});

export const withContext = (given: Partial<Proposal["context"]>): { readonly proposal: Proposal } => ({
  proposal: aProposal({ context: { ...aProposal().context, ...given } }),
});

export const withDefect = (check: Proposal["defects"][number]["check"]): { readonly proposal: Proposal } => ({
  proposal: aProposal({
    defects: [{ check, at: "proposed_tx.to", found: "0x12", expected: "something else" }],
  }),
});

const { buys: _, ...blankStep } = newDraft(["transfer"], { word: "Send", span: [0, 4] }, [0, 10]);

export const aStep = (given: Partial<Step> = {}): Step => ({ ...blankStep, ...given });

export const anIntent = (given: Partial<Intent> = {}): Intent => ({
  steps: [aStep()],
  negations: [],
  tokens: [],
  ambiguities: [],
  language: "en",
  notARequest: null,
  unicode: [],
  injections: [],
  ...given,
});

export const anEntailment = (given: Partial<Entailment> = {}): Entailment => ({
  comparisons: [],
  licences: [{ effect: 0, step: 0, rule: "asked for" }],
  unlicensed: [],
  unmet: [],
  unread: [],
  ambiguous: [],
  ...given,
});

export const aComparison = (given: Partial<Comparison> = {}): Comparison => ({
  slot: "amount",
  outcome: "same",
  asked: "100 USDC",
  does: "100 USDC",
  words: [5, 13],
  where: place,
  confidence: 1,
  fix: "",
  ...given,
});

const tokens: readonly Token[] = [
  { chain: 1, address: usdc, symbol: "USDC", decimals: 6, core: true },
  { chain: 1, address: weth, symbol: "WETH", decimals: 18, core: true },
];

const registry: Registry = {
  token: (chain, address) => tokens.find((one) => one.chain === chain && one.address === address) ?? null,
  named: (chain, symbol) =>
    tokens.filter((one) => one.chain === chain && one.symbol === symbol.toUpperCase()),
  isSymbol: (word) => tokens.some(({ symbol }) => symbol === word.toUpperCase()),
  isEnglish: () => false,
  collection: () => null,
  chain: (id) => (id === 1 ? { id, name: "Ethereum", coin: "ETH", wrapped: weth } : null),
  chainNamed: () => null,
  sources: [],
};

export const aPolicy = (given: Partial<Policy> = {}): Policy => ({ ...defaultPolicy, ...given });

export const aList = (addresses: readonly Address[] = [], fresh = true): AddressList => ({
  ageDays: fresh ? 2 : 90,
  name: "test",
  asOf: "2026-08-01",
  source: "test",
  fresh,
  size: addresses.length,
  note: (address) => (addresses.includes(address) ? "listed" : null),
  has: (address) => addresses.includes(address),
});

/** Everything that follows from the effects. */
export function withEffects(...effects: readonly Effect[]): Partial<Facts> {
  const authority = effects.flatMap((effect) => effect.authority ?? []);
  const reading = aReading({ effects, net: { ...aReading().net, authority } });
  const beneficiaries = findBeneficiaries(reading, aProposal());
  return { ...(groupEffects(effects) as Partial<Facts>), reading, beneficiaries };
}

export const saying = (...addresses: readonly Address[]): Pick<Facts, "wordsAddresses"> => ({
  wordsAddresses: addresses.map((address) => ({ address, text: address, span: [0, 42], checksum: "absent" })),
});

const aHash = `0x${"5e".repeat(32)}` as const;

/** The run of the payment: 0.1 ETH from the account to Bob. */
export const aSimulation = (given: Partial<Simulation> = {}): Simulation => ({
  reverted: null,
  diverged: null,
  variants: 0,
  changes: [
    { holder: me, asset: native, amount: -(10n ** 17n), isMeasured: true },
    { holder: bob, asset: native, amount: 10n ** 17n, isMeasured: true },
  ],
  balances: [{ asset: native, before: 10n ** 18n, after: 9n * 10n ** 17n }],
  ...{ account: me, sender: me, calls: 1, isRelayed: false, holders: [me, bob] },
  tokens: [],
  approvals: [],
  control: [],
  changesAccount: false,
  unreadable: 0,
  gasUsed: 21_000n,
  fee: 10n ** 14n,
  decimals: new Map(),
  ...{ parties: [], proxies: [], symbols: new Map() },
  prices: new Map(),
  ...given,
});

/** 3,000 USDC for 0.996 WETH, with a minimum of one percent below. */
export const anExecutedSwap = (given: Partial<ExecutedSwap> = {}): ExecutedSwap => ({
  ...{ out: usdcAsset, into: wethAsset, paid: 3_000_000_000n, arrived: 996n * 10n ** 15n },
  ...{ roomBps: 100, lossBps: 40, worstLossBps: 140, isLimitStated: false, where: place },
  ...given,
});

/** An unknown contract that is called, and that was executed on a proven state. */
export const aStranger = (given: Partial<Stranger> = {}): Stranger => ({
  ...{ address: stranger, role: "called", behind: null, where: place, isExecuted: true },
  ...given,
});

export const aContractRecord = (given: Partial<ContractRecord> = {}): ContractRecord => ({
  ...{ name: null, verification: "exact", deployedSecondsAgo: 10n ** 7n, atLeastSecondsOld: 10n ** 7n },
  ...{ source: "a file", asOf: "2026-09-20" },
  ...given,
});

/** Data about contracts of chain 1. */
export const contractsAre = (records: Readonly<Record<Address, ContractRecord>>): ContractData => ({
  size: Object.keys(records).length,
  at: (chain, address) => (chain === 1 ? (records[address] ?? null) : null),
  functionAt: () => null,
});

const dollars: Readonly<Record<string, number>> = { [usdc]: 1e-6, [weth]: 3000e-18 };

/** A payment that no check flags, with every fact: a test states only what differs. */
export const calm: Facts = {
  ...(Object.fromEntries(
    slots.map((slot) => [`compared.${slot}`, [aComparison({ slot })]]),
  ) as unknown as Facts),
  proposal: aProposal(),
  intent: anIntent(),
  reading: aReading(),
  entailment: anEntailment(),
  registry,
  policy: aPolicy(),
  moves: [anEffect()],
  swaps: [aSwap()],
  approvals: [anApproval(router, 100n)],
  signed: [anApproval(router, 100n, true)],
  market: [aSwap()],
  history: [{ address: bob, label: "Bob" }],
  balances: new Map([["native", 10n ** 18n]]),
  prices: new Map([["USDC", 1]]),
  jurisdiction: "DE",
  sanctions: aList(),
  scams: aList(),
  blockedProtocols: aList(),
  ...saying(bob),
  beneficiaries: [{ address: bob, role: "receiver", effect: 0, where: place }],
  contracts: {
    at: (address) => (address === router ? [{ protocol: "uniswap_v3", role: "router" }] : []),
    like: () => null,
    isStandard: (protocol) => protocol === "erc20",
    satisfies: (said, protocol) => protocol.startsWith(said),
    isPayable: ({ function: name }) => (name === null ? null : name === "deposit"),
  },
  hint: { said: "Uniswap", venue: null },
  claimedTokens: [{ address: usdc, symbol: "USDC", decimals: 6 }],
  usd: (asset, units, chain) => {
    if ((chain ?? 1) !== 1 || asset.kind === "nft") return null;
    const price =
      asset.kind === "native" ? 3000e-18 : asset.kind === "token" ? dollars[asset.address] : undefined;
    return price === undefined ? null : Number(units) * price;
  },
  toldNow: true,
  strangers: [aStranger()],
  contractData: contractsAre({ [stranger]: aContractRecord() }),
  state: { status: "proven", hash: aHash, block: { number: 24_000_000n, hash: aHash, timestamp: now - 12n } },
  funds: {
    native: 10n ** 18n,
    value: 10n ** 17n,
    mostForGas: 10n ** 15n,
    tokens: new Map([[usdc, 3_000_000_000n]]),
    isEnough: true,
  },
  simulation: aSimulation(),
  executedSwap: anExecutedSwap(),
  engines: {
    ...{ status: "agree", engine: "a second engine 1.0" },
    first: { outcome: "succeeded", gas_used: "21000", logs: 0, hash: aHash },
  },
  byEffect: {
    ...{ status: "matches", contract: router, shown: "100 USDC leaves", variants: 0 },
    block: { number: 24_000_000n, hash: aHash, timestamp: now - 12n },
  },
  opinion: { status: "PASS", issues: [], quotes: [], why: "The payment is the one asked for." },
};
