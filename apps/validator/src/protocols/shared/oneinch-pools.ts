/** 1inch's swaps straight through pools. A pool is a word of flags and an address; the tokens are known to the chain alone. */
import { atLeast, exactly, native, unsaid, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { addressIn, assetAt, flow, partyAt, swapDraft, ZERO_ADDRESS } from "./swap-draft.ts";

const OUTPUT = unsaid("the token the last pool pays out, which the arguments do not name");
const INPUT = unsaid("the token the first pool takes in, which the arguments do not name");

type Unoswap = {
  readonly input: Asset;
  readonly amount: bigint;
  readonly minReturn: bigint;
  readonly to: Address | null;
  readonly unwraps: boolean;
};

const unoswap = (u: Unoswap, call: CallView): Draft =>
  swapDraft({
    gives: flow(u.input, exactly(u.amount), u.input.kind === "native" ? "value" : "amount"),
    gets: flow(u.unwraps ? native : OUTPUT, atLeast(u.minReturn), "minReturn"),
    receiver: u.to === null ? call.sender : partyAt(u.to, call, { sender: ZERO_ADDRESS }),
    ...(u.to === null ? {} : { receiverAt: "to" }),
  });

/** A pool is a word of flags and an address; the last one's flag says whether the wrapped coin is unwrapped. */
const lastHas = (pools: readonly bigint[], bit: bigint): boolean =>
  ((pools.at(-1) ?? 0n) & (1n << bit)) !== 0n;

const UNWRAP_V6 = 252n;
const UNWRAP_PAIR = 254n;
const WRAP_V3 = 254n;
const UNWRAP_V3 = 253n;

const DEXES = [
  "uint256 dex",
  "uint256 dex, uint256 dex2",
  "uint256 dex, uint256 dex2, uint256 dex3",
] as const;
const NUMBERS = ["", "2", "3"] as const;

/** One, two or three pools in a row: the same function with a number behind its name. */
const numbered = <T>(make: (suffix: string, dexes: string) => T): readonly T[] =>
  DEXES.map((dexes, i) => make(NUMBERS[i] ?? "", dexes));

const v6Unoswaps: readonly ProtocolFunction[] = [
  ...numbered((n, dexes) =>
    fn(
      `function unoswap${n}(uint256 token, uint256 amount, uint256 minReturn, ${dexes})` as "function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex)",
      ["router_v6"],
      ([at, amount, minReturn, ...pools], call) =>
        unoswap(
          { input: assetAt(addressIn(at)), amount, minReturn, to: null, unwraps: lastHas(pools, UNWRAP_V6) },
          call,
        ),
    ),
  ),
  ...numbered((n, dexes) =>
    fn(
      `function unoswapTo${n}(uint256 to, uint256 token, uint256 amount, uint256 minReturn, ${dexes})` as "function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex)",
      ["router_v6"],
      ([to, at, amount, minReturn, ...pools], call) =>
        unoswap(
          {
            input: assetAt(addressIn(at)),
            amount,
            minReturn,
            to: addressIn(to),
            unwraps: lastHas(pools, UNWRAP_V6),
          },
          call,
        ),
    ),
  ),
  ...numbered((n, dexes) =>
    fn(
      `function ethUnoswap${n}(uint256 minReturn, ${dexes}) payable` as "function ethUnoswap(uint256 minReturn, uint256 dex) payable",
      ["router_v6"],
      ([minReturn, ...pools], call) =>
        unoswap(
          { input: native, amount: call.value, minReturn, to: null, unwraps: lastHas(pools, UNWRAP_V6) },
          call,
        ),
    ),
  ),
  ...numbered((n, dexes) =>
    fn(
      `function ethUnoswapTo${n}(uint256 to, uint256 minReturn, ${dexes}) payable` as "function ethUnoswapTo(uint256 to, uint256 minReturn, uint256 dex) payable",
      ["router_v6"],
      ([to, minReturn, ...pools], call) =>
        unoswap(
          {
            input: native,
            amount: call.value,
            minReturn,
            to: addressIn(to),
            unwraps: lastHas(pools, UNWRAP_V6),
          },
          call,
        ),
    ),
  ),
];

const olderUnoswaps: readonly ProtocolFunction[] = [
  fn(
    "function unoswap(address srcToken, uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v5"],
    ([at, amount, minReturn, pools], call) =>
      unoswap(
        { input: assetAt(at), amount, minReturn, to: null, unwraps: lastHas(pools, UNWRAP_PAIR) },
        call,
      ),
  ),
  fn(
    "function unoswapTo(address to, address srcToken, uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v5"],
    ([to, at, amount, minReturn, pools], call) =>
      unoswap(
        {
          input: assetAt(at),
          amount,
          minReturn,
          to: addressIn(BigInt(to)),
          unwraps: lastHas(pools, UNWRAP_PAIR),
        },
        call,
      ),
  ),
  fn(
    "function unoswap(address srcToken, uint256 amount, uint256 minReturn, bytes32[] pools) payable",
    ["router_v3", "router_v4"],
    ([at, amount, minReturn, pools], call) =>
      unoswap(
        { input: assetAt(at), amount, minReturn, to: null, unwraps: lastHas(pools.map(BigInt), UNWRAP_PAIR) },
        call,
      ),
  ),
];

/** The pools alone say what goes in, unless coin is sent along and the first of them wraps it. */
const v3Input = (pools: readonly bigint[], call: CallView): Asset =>
  call.value > 0n && ((pools[0] ?? 0n) & (1n << WRAP_V3)) !== 0n ? native : INPUT;

const v3Swaps: readonly ProtocolFunction[] = [
  fn(
    "function uniswapV3Swap(uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v4", "router_v5"],
    ([amount, minReturn, pools], call) =>
      unoswap(
        { input: v3Input(pools, call), amount, minReturn, to: null, unwraps: lastHas(pools, UNWRAP_V3) },
        call,
      ),
  ),
  fn(
    "function uniswapV3SwapTo(address to, uint256 amount, uint256 minReturn, uint256[] pools) payable",
    ["router_v4", "router_v5"],
    ([to, amount, minReturn, pools], call) =>
      unoswap(
        {
          input: v3Input(pools, call),
          amount,
          minReturn,
          to: addressIn(BigInt(to)),
          unwraps: lastHas(pools, UNWRAP_V3),
        },
        call,
      ),
  ),
];

export const poolFunctions: readonly ProtocolFunction[] = [...v6Unoswaps, ...olderUnoswaps, ...v3Swaps];
