// Requests and transactions that do what was asked, on the contracts of the world.
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import {
  approve,
  ether,
  transfer,
  unwrap,
  v2ForExactEther,
  v2FromEther,
  v2Swap,
  v2ToEther,
  v3ForExact,
  v3Path,
  v3Swap,
  wrap,
  type Call,
  type TokenSymbol,
} from "./calls.ts";
import type { Chain } from "./chain.ts";

/** Of one call, or of several in one request. */
export type Honest = {
  readonly words: string;
  readonly call: () => Call | readonly Call[];
  /** Changes the chain before, such as by giving an allowance. */
  readonly prepare?: (chain: Chain) => Promise<unknown>;
};
type Parties = { readonly me: Hex; readonly friend: Hex };

const payments = ({ friend }: Parties): readonly Honest[] => [
  ...["0.1", "1", "2.5", "100", "0.000001"].map((amount) => ({
    words: `Send ${amount} ETH to ${friend}`,
    call: () => ({ to: friend, value: ether(amount) }),
  })),
  ...(
    [
      ["USDC", "1"],
      ["USDC", "250"],
      ["USDC", "12345.67"],
      ["USDC", "1000000"],
      ["USDT", "50"],
      ["USDT", "1000"],
      ["DAI", "5"],
      ["DAI", "999.99"],
      ["WETH", "0.5"],
      ["WETH", "1"],
    ] as const satisfies readonly (readonly [TokenSymbol, string])[]
  ).map(([symbol, amount]) => ({
    words: `Send ${amount} ${symbol} to ${friend}`,
    call: () => transfer(symbol, amount, friend),
  })),
];

/** Amounts that only the state of the chain settles. The world gives everyone 100 million USDC, and a price of 3000 dollars to ETH. */
const resolved = ({ friend }: Parties): readonly Honest[] => [
  {
    words: `Send all my USDC to ${friend}`,
    call: () => transfer("USDC", "100000000", friend),
  },
  {
    words: `Send half of my USDT to ${friend}`,
    call: () => transfer("USDT", "50000000", friend),
  },
  { words: `Send $300 of ETH to ${friend}`, call: () => ({ to: friend, value: ether("0.1") }) },
];

const wrapping: readonly Honest[] = [
  { words: "Wrap 3 ETH", call: () => wrap("3") },
  { words: "Wrap 0.25 ETH into WETH", call: () => wrap("0.25") },
  { words: "Unwrap 1 WETH", call: () => unwrap("1") },
  { words: "Unwrap 0.4 WETH to ETH", call: () => unwrap("0.4") },
];

const approvals = ({ friend }: Parties): readonly Honest[] => [
  ...(["USDC", "DAI", "WETH", "USDT"] as const).map((symbol) => ({
    words: `Approve ${friend} to spend 100 ${symbol}`,
    call: () => approve(symbol, "100", friend),
  })),
  { words: "Approve Uniswap v2 to spend 50 DAI", call: () => approve("DAI", "50", at.v2Router) },
];

const v2 = ({ me }: Parties): readonly Honest[] => [
  {
    words: "Swap 100 USDC for ETH on Uniswap v2",
    call: () => v2ToEther(me, { from: "USDC", amount: "100", least: "0.0329" }),
  },
  {
    words: "Swap 3000 USDC for ETH on Uniswap v2",
    call: () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.98" }),
  },
  {
    words: "Swap 30000 USDC for at least 9.8 ETH on Uniswap v2",
    call: () => v2ToEther(me, { from: "USDC", amount: "30000", least: "9.8" }),
  },
  {
    words: "Swap at most 3100 USDC for exactly 1 ETH on Uniswap v2",
    call: () => v2ForExactEther(me, { from: "USDC", amount: "1", least: "3100" }),
  },
  {
    words: "Swap 1 ETH for USDC on Uniswap v2",
    call: () => v2FromEther(me, { to: "USDC", amount: "1", least: "2950" }),
  },
  {
    words: "Swap 10 ETH for at least 29500 USDC on Uniswap v2",
    call: () => v2FromEther(me, { to: "USDC", amount: "10", least: "29500" }),
  },
  {
    words: "Swap 3000 USDC for WETH on Uniswap v2",
    call: () => v2Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.98" }),
  },
  {
    words: "Swap 2 WETH for USDC on Uniswap v2",
    call: () => v2Swap(me, { from: "WETH", to: "USDC", amount: "2", least: "5900" }),
  },
  {
    words: "Swap 1000 USDC for at least 990 DAI on Uniswap v2",
    call: () => v2Swap(me, { from: "USDC", to: "DAI", amount: "1000", least: "990" }),
  },
  {
    words: "Swap 3000 USDC for ETH on Uniswap v2 with at most 1% slippage",
    call: () => v2ToEther(me, { from: "USDC", amount: "3000", least: "0.99" }),
  },
];

const v3 = ({ me }: Parties): readonly Honest[] => [
  {
    words: "Swap 3000 USDC for WETH on Uniswap v3",
    call: () => v3Swap(me, { from: "USDC", to: "WETH", amount: "3000", least: "0.98", fee: 500 }),
  },
  {
    words: "Swap 60 USDC for WETH on Uniswap v3",
    call: () => v3Swap(me, { from: "USDC", to: "WETH", amount: "60", least: "0.0196", fee: 3_000 }),
  },
  {
    words: "Swap 2 WETH for USDC on Uniswap v3",
    call: () => v3Swap(me, { from: "WETH", to: "USDC", amount: "2", least: "5900", fee: 500 }),
  },
  {
    words: "Swap 1000 DAI for at least 995 USDC on Uniswap v3",
    call: () => v3Swap(me, { from: "DAI", to: "USDC", amount: "1000", least: "995", fee: 100 }),
  },
  {
    words: "Swap 500 USDC for at least 495 DAI on Uniswap v3",
    call: () => v3Swap(me, { from: "USDC", to: "DAI", amount: "500", least: "495", fee: 100 }),
  },
  {
    words: "Swap at most 3100 USDC for exactly 1 WETH on Uniswap v3",
    call: () => v3ForExact(me, { from: "USDC", to: "WETH", amount: "1", least: "3100", fee: 500 }),
  },
  {
    words: "Swap 3000 DAI for at least 0.98 WETH on Uniswap v3",
    call: () =>
      v3Path(me, {
        ...{ from: "DAI", through: "USDC", to: "WETH", amount: "3000", least: "0.98", fees: [100, 500] },
      }),
  },
];

export const honestStories = (parties: Parties): readonly Honest[] => [
  ...payments(parties),
  ...resolved(parties),
  ...wrapping,
  ...approvals(parties),
  ...v2(parties),
  ...v3(parties),
];
