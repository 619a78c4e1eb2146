/**
 * 1inch's swaps directly through pools. A pool is a word of flags and an address; its tokens are only on the chain.
 * The router trusts the output that a pool reports, so a pool has to be known, unless the router unwraps the output
 * itself.
 */
import { atLeast, exactly, native, unsaid, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import {
  describeFunction,
  fn,
  type CallView,
  type Draft,
  type DraftChoice,
  type ProtocolFunction,
} from "../../protocol.ts";
import { feeds, feedsWhen, openedBy, type UseTree } from "../../uses.ts";
import { addressWord, openAddress, wordOf } from "./address-word.ts";
import { assetAt, assetOrCoin, flow, lower, partyAt, swapDraft } from "./swap-draft.ts";

const OUTPUT = unsaid("the token the last pool pays out, which the arguments do not name");
const INPUT = unsaid("the token the first pool takes in, which the arguments do not name");

type Unoswap = {
  readonly input: Asset;
  readonly amount: bigint;
  readonly minReturn: bigint;
  readonly to: Address | null;
  readonly pools: readonly DraftChoice[];
  readonly unwraps: boolean;
};

const unoswap = (u: Unoswap, call: CallView): Draft => ({
  ...swapDraft({
    gives: flow(u.input, exactly(u.amount), u.input.kind === "native" ? "value" : "amount"),
    gets: flow(u.unwraps ? native : OUTPUT, atLeast(u.minReturn), "minReturn"),
    receiver: u.to === null ? call.sender : partyAt(u.to, call),
    ...(u.to === null ? {} : { receiverAt: "to" }),
  }),
  ...(u.unwraps ? {} : { choices: u.pools }),
});

/** The last pool's flag says whether the wrapped native token is unwrapped. */
const lastHas = (pools: readonly bigint[], bit: bigint): boolean =>
  ((pools.at(-1) ?? 0n) & (1n << bit)) !== 0n;

const picked = (pools: readonly bigint[], name: (index: number) => string): readonly DraftChoice[] =>
  pools.map((pool, index) => ({ what: "pool", value: wordOf(pool), at: name(index) }));

const UNWRAP_V6 = 252n;
const UNWRAP_PAIR = 254n;
const WRAP_V3 = 254n;
const UNWRAP_V3 = 253n;

const poolUse = feedsWhen("choice", "the router does not unwrap the output");
const DEXES = ["dex", "dex2", "dex3"] as const;
const NUMBERS = ["", "2", "3"] as const;
const receiverWord = addressWord(feeds.receiver);
const tokenWord = addressWord(assetOrCoin);

type Form = {
  readonly name: string;
  /** Arguments before the pools, by name. */
  readonly before: Readonly<Record<string, UseTree[string]>>;
  readonly isPayable: boolean;
};

const toUse = openedBy(receiverWord);
const tokenUse = openedBy(tokenWord);
const forms: readonly Form[] = [
  {
    name: "unoswap",
    before: { token: tokenUse, amount: feeds.amount, minReturn: feeds.minimum },
    isPayable: false,
  },
  {
    name: "unoswapTo",
    before: { to: toUse, token: tokenUse, amount: feeds.amount, minReturn: feeds.minimum },
    isPayable: false,
  },
  { name: "ethUnoswap", before: { minReturn: feeds.minimum }, isPayable: true },
  { name: "ethUnoswapTo", before: { to: toUse, minReturn: feeds.minimum }, isPayable: true },
];

/** One, two or three pools in a row: the same function with a number after its name. */
const v6Unoswaps: readonly ProtocolFunction[] = forms.flatMap(({ name, before, isPayable }) =>
  NUMBERS.map((suffix, more) => {
    const dexes = DEXES.slice(0, more + 1);
    const names = [...Object.keys(before), ...dexes];
    return describeFunction(
      `function ${name}${suffix}(${names.map((each) => `uint256 ${each}`).join(", ")})${isPayable ? " payable" : ""}`,
      ["router_v6"],
      { ...before, ...Object.fromEntries(dexes.map((dex) => [dex, poolUse])) },
      (args: readonly bigint[], call: CallView) => {
        const given = Object.fromEntries(names.map((each, index) => [each, args[index] ?? 0n]));
        const { to, token, amount = call.value, minReturn = 0n } = given;
        const pools = args.slice(-dexes.length);
        return unoswap(
          {
            input: token === undefined ? native : assetAt(openAddress(tokenWord, token, "token", call)),
            amount,
            minReturn,
            to: to === undefined ? null : openAddress(receiverWord, to, "to", call),
            pools: picked(pools, (index) => DEXES[index] ?? "dex"),
            unwraps: lastHas(pools, UNWRAP_V6),
          },
          call,
        );
      },
    );
  }),
);

const inList = (pools: readonly bigint[]): readonly DraftChoice[] =>
  picked(pools, (index) => `pools[${index}]`);

const pairUses = { srcToken: assetOrCoin, amount: feeds.amount, minReturn: feeds.minimum, pools: poolUse };

const olderUnoswaps: readonly ProtocolFunction[] = [
  fn(
    "function unoswap(address srcToken, uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v5"],
    pairUses,
    ([at, amount, minReturn, pools], call) => {
      const unwraps = lastHas(pools, UNWRAP_PAIR);
      return unoswap(
        { input: assetAt(at), amount, minReturn, to: null, pools: inList(pools), unwraps },
        call,
      );
    },
  ),
  fn(
    "function unoswapTo(address to, address srcToken, uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v5"],
    { ...pairUses, to: feeds.receiver },
    ([to, at, amount, minReturn, pools], call) => {
      const unwraps = lastHas(pools, UNWRAP_PAIR);
      return unoswap(
        { input: assetAt(at), amount, minReturn, to: lower(to), pools: inList(pools), unwraps },
        call,
      );
    },
  ),
  fn(
    "function unoswap(address srcToken, uint256 amount, uint256 minReturn, bytes32[] pools) payable",
    ["router_v3", "router_v4"],
    pairUses,
    ([at, amount, minReturn, words], call) => {
      const pools = words.map(BigInt);
      const unwraps = lastHas(pools, UNWRAP_PAIR);
      return unoswap(
        { input: assetAt(at), amount, minReturn, to: null, pools: inList(pools), unwraps },
        call,
      );
    },
  ),
];

/** Only the pools determine the input, unless native value is sent and the first of them wraps it. */
const v3Input = (pools: readonly bigint[], call: CallView): Asset =>
  call.value > 0n && ((pools[0] ?? 0n) & (1n << WRAP_V3)) !== 0n ? native : INPUT;

const v3Uses = { amount: feeds.amount, minReturn: feeds.minimum, pools: poolUse };

const v3Swaps: readonly ProtocolFunction[] = [
  fn(
    "function uniswapV3Swap(uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v4", "router_v5"],
    v3Uses,
    ([amount, minReturn, pools], call) => {
      const [input, unwraps] = [v3Input(pools, call), lastHas(pools, UNWRAP_V3)];
      return unoswap({ input, amount, minReturn, to: null, pools: inList(pools), unwraps }, call);
    },
  ),
  fn(
    "function uniswapV3SwapTo(address to, uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v4", "router_v5"],
    { ...v3Uses, to: feeds.receiver },
    ([to, amount, minReturn, pools], call) => {
      const [input, unwraps] = [v3Input(pools, call), lastHas(pools, UNWRAP_V3)];
      return unoswap({ input, amount, minReturn, to: lower(to), pools: inList(pools), unwraps }, call);
    },
  ),
];

export const poolFunctions: readonly ProtocolFunction[] = [...v6Unoswaps, ...olderUnoswaps, ...v3Swaps];
