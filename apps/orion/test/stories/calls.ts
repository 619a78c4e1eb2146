// Transactions that owners ask for, on the contracts of the world.
import { encodeFunctionData, encodePacked, parseAbi, parseUnits } from "viem";
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";

export type Call = { readonly to: Hex; readonly value?: bigint; readonly data?: Hex };

const abi = parseAbi([
  "function approve(address spender, uint256 value)",
  "function transfer(address to, uint256 value)",
  "function deposit() payable",
  "function withdraw(uint256 value)",
  "function swapExactTokensForETH(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactETH(uint256 amountOut, uint256 most, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 least, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForTokens(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) swap)",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) swap)",
  "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) swap)",
]);

export const tokens = {
  USDC: { address: at.usdc, decimals: 6 },
  USDT: { address: at.usdt, decimals: 6 },
  DAI: { address: at.dai, decimals: 18 },
  WETH: { address: at.weth, decimals: 18 },
} as const satisfies Readonly<Record<string, { readonly address: Hex; readonly decimals: number }>>;
export type TokenSymbol = keyof typeof tokens;

export const units = (symbol: TokenSymbol, amount: string): bigint =>
  parseUnits(amount, tokens[symbol].decimals);
export const ether = (amount: string): bigint => parseUnits(amount, 18);

const soon = (): bigint => BigInt(Math.floor(Date.now() / 1000) + 900);

export const transfer = (symbol: TokenSymbol, amount: string, to: Hex): Call => ({
  to: tokens[symbol].address,
  data: encodeFunctionData({ abi, functionName: "transfer", args: [to, units(symbol, amount)] }),
});
export const transferOf = (token: Hex, amount: bigint, to: Hex): Call => ({
  to: token,
  data: encodeFunctionData({ abi, functionName: "transfer", args: [to, amount] }),
});
export const approve = (symbol: TokenSymbol, amount: string, spender: Hex): Call => ({
  to: tokens[symbol].address,
  data: encodeFunctionData({ abi, functionName: "approve", args: [spender, units(symbol, amount)] }),
});
export const wrap = (amount: string): Call => ({
  ...{ to: at.weth, value: ether(amount) },
  data: encodeFunctionData({ abi, functionName: "deposit" }),
});
export const unwrap = (amount: string): Call => ({
  to: at.weth,
  data: encodeFunctionData({ abi, functionName: "withdraw", args: [ether(amount)] }),
});

type Swap = {
  readonly from: TokenSymbol;
  readonly to: TokenSymbol;
  readonly amount: string;
  readonly least: string;
};

export const v2ToEther = (me: Hex, { from, amount, least }: Omit<Swap, "to">): Call => ({
  to: at.v2Router,
  data: encodeFunctionData({
    ...{ abi, functionName: "swapExactTokensForETH" },
    args: [units(from, amount), ether(least), [tokens[from].address, at.weth], me, soon()],
  }),
});
export const v2ForExactEther = (me: Hex, { from, amount, least: most }: Omit<Swap, "to">): Call => ({
  to: at.v2Router,
  data: encodeFunctionData({
    ...{ abi, functionName: "swapTokensForExactETH" },
    args: [ether(amount), units(from, most), [tokens[from].address, at.weth], me, soon()],
  }),
});
export const v2FromEther = (me: Hex, { to, amount, least }: Omit<Swap, "from">): Call => ({
  ...{ to: at.v2Router, value: ether(amount) },
  data: encodeFunctionData({
    ...{ abi, functionName: "swapExactETHForTokens" },
    args: [units(to, least), [at.weth, tokens[to].address], me, soon()],
  }),
});
export const v2Swap = (me: Hex, { from, to, amount, least }: Swap): Call => ({
  to: at.v2Router,
  data: encodeFunctionData({
    ...{ abi, functionName: "swapExactTokensForTokens" },
    args: [units(from, amount), units(to, least), [tokens[from].address, tokens[to].address], me, soon()],
  }),
});

type V3 = Swap & { readonly fee: number };

export const v3Swap = (me: Hex, { from, to, amount, least, fee }: V3): Call => ({
  to: at.v3Router,
  data: encodeFunctionData({
    ...{ abi, functionName: "exactInputSingle" },
    args: [
      {
        ...{ tokenIn: tokens[from].address, tokenOut: tokens[to].address, fee, recipient: me },
        ...{ deadline: soon(), amountIn: units(from, amount), amountOutMinimum: units(to, least) },
        sqrtPriceLimitX96: 0n,
      },
    ],
  }),
});
/** `amount` is what must arrive, `least` the most that may leave. */
export const v3ForExact = (me: Hex, { from, to, amount, least: most, fee }: V3): Call => ({
  to: at.v3Router,
  data: encodeFunctionData({
    ...{ abi, functionName: "exactOutputSingle" },
    args: [
      {
        ...{ tokenIn: tokens[from].address, tokenOut: tokens[to].address, fee, recipient: me },
        ...{ deadline: soon(), amountOut: units(to, amount), amountInMaximum: units(from, most) },
        sqrtPriceLimitX96: 0n,
      },
    ],
  }),
});
export const v3Path = (
  me: Hex,
  {
    through,
    fees,
    ...swap
  }: Swap & { readonly through: TokenSymbol; readonly fees: readonly [number, number] },
): Call => ({
  to: at.v3Router,
  data: encodeFunctionData({
    ...{ abi, functionName: "exactInput" },
    args: [
      {
        path: encodePacked(
          ["address", "uint24", "address", "uint24", "address"],
          [
            ...([tokens[swap.from].address, fees[0]] as const),
            ...([tokens[through].address, fees[1], tokens[swap.to].address] as const),
          ],
        ),
        ...{ recipient: me, deadline: soon(), amountIn: units(swap.from, swap.amount) },
        amountOutMinimum: units(swap.to, swap.least),
      },
    ],
  }),
});
