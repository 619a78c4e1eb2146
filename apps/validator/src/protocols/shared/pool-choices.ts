/** Choices of pools, hooks and price ranges on exchanges. */
import type { Address, Hex } from "../../proposal.ts";
import type { Draft, DraftChoice } from "../../protocol.ts";
import { lower, ZERO_ADDRESS } from "./swap-draft.ts";

/** Pool fees are hundredths of a basis point: 500 is 0.05%. */
const FEE_DECIMALS = 10_000;

export const showFee = (fee: number): string => `${fee / FEE_DECIMALS}% fee`;

/** The standard tick spacing of each common fee. V4 allows any combination. */
const usualSpacing: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3_000: 60, 10_000: 200 };

export const showPool = (fee: number, tickSpacing: number): string =>
  usualSpacing[fee] === tickSpacing ? showFee(fee) : `${showFee(fee)} with tick spacing ${tickSpacing}`;

/** Treats ticks beyond this as unbounded. The pools' own limit is 887,272. */
const UNREACHED_TICK = 880_000;

export const isFullRange = (tickLower: number, tickUpper: number): boolean =>
  tickLower <= -UNREACHED_TICK && tickUpper >= UNREACHED_TICK;

export const range = (tickLower: number, tickUpper: number, at: string): DraftChoice => ({
  what: "setting",
  value: `price range from tick ${tickLower} to ${tickUpper}`,
  at,
  known: isFullRange(tickLower, tickUpper),
});

/** The creator sets the price of a new pool, and liquidity added at a wrong price is lost to arbitrage. */
export const initialPrice = (pool: string, price: bigint, at: string): DraftChoice => ({
  what: "pool",
  value: `new pool ${pool} at price ${price}`,
  at,
  known: false,
});

/** Returns the hook unless it is zero, and its data unless it is empty. */
export const hookChoices = (hook: string, data: Hex, at: string): readonly DraftChoice[] => [
  ...(lower(hook) === ZERO_ADDRESS
    ? []
    : [{ what: "hook" as const, value: lower(hook) satisfies Address, at: `${at}.hooks` }]),
  ...(data === "0x" ? [] : [{ what: "code" as const, value: data, at: `${at}.hookData` }]),
];

export type PoolKey = {
  readonly currency0: string;
  readonly currency1: string;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: string;
};

/** Describes the creation of a V4 pool, which moves no funds. */
export const newPool = (key: PoolKey, price: bigint, at: string): Draft => {
  const pair = `${lower(key.currency0)}/${lower(key.currency1)}`;
  const pool = `${pair} with ${showPool(key.fee, key.tickSpacing)}`;
  return {
    act: "harmless",
    choices: [
      initialPrice(pool, price, `${at}sqrtPriceX96`),
      ...hookChoices(key.hooks, "0x", `${at}poolKey`),
    ],
  };
};
