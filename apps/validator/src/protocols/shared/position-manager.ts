/** Liquidity positions of exchanges like Uniswap V3. They are NFTs: the holder of the token holds the position. */
import {
  atLeast,
  atMost,
  exactly,
  native,
  nft,
  token,
  unsaid,
  nativeFault,
  routeFault,
  type Amount,
  type Asset,
  type Fault,
} from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type DraftChoice, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert } from "../../uses.ts";
import { initialPrice, isFullRange, range, showFee } from "./pool-choices.ts";
import { flow, lower, partyAt, ZERO_ADDRESS } from "./swap-draft.ts";

type Amounts = {
  readonly amount0Desired: bigint;
  readonly amount1Desired: bigint;
  readonly amount0Min: bigint;
  readonly amount1Min: bigint;
};

type Minted = Amounts & {
  readonly token0: string;
  readonly token1: string;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly recipient: string;
  readonly deadline: bigint;
};

const FIRST = unsaid("the first token of the position, which only the chain knows");
const SECOND = unsaid("the second token of the position, which only the chain knows");
const ALL_OWED = 2n ** 128n - 1n;

const within = (least: bigint, most: bigint): Amount => ({ least, most });

/** The native value pays for the side that is the wrapped native token. */
const sideAsset = (address: Address, call: CallView): Asset =>
  call.value > 0n && address === call.registry.chain(call.chain)?.wrapped ? native : token(address);

const isNearly = (least: bigint, most: bigint): boolean => least * 10n >= most * 9n;

/**
 * Returns whether the minimums enforce the price. Over the full range, the ratio of the amounts used equals the pool's price, so
 * minimums within 10 % of both amounts bound the price of any pool.
 */
const holdsPrice = (p: Minted): boolean =>
  isFullRange(p.tickLower, p.tickUpper) &&
  isNearly(p.amount0Min, p.amount0Desired) &&
  isNearly(p.amount1Min, p.amount1Desired);

const poolChoice = (value: string, at: string, p: Minted): DraftChoice => ({
  what: "pool",
  value,
  at: `params.${at}`,
  known: holdsPrice(p),
});

/** The manager pays with the native value only if that covers the whole amount. Otherwise it pulls the wrapped token. */
const coinFaults = (p: Minted, call: CallView): readonly Fault[] => {
  const wrapped = call.registry.chain(call.chain)?.wrapped;
  const sides = [
    [lower(p.token0), p.amount0Desired],
    [lower(p.token1), p.amount1Desired],
  ] as const;
  return call.value > 0n && sides.some(([address, most]) => address === wrapped && most > call.value)
    ? [
        nativeFault(
          "the amount exceeds the native token sent: the manager can pull the wrapped token and keep the native one",
        ),
      ]
    : [];
};

const mintDraft = (p: Minted, pool: readonly DraftChoice[], call: CallView): Draft => {
  const [first, second] = [lower(p.token0), lower(p.token1)];
  const faults = [
    ...(p.tickLower >= p.tickUpper ? [routeFault("the price range is empty")] : []),
    ...(first >= second ? [routeFault("the two tokens are not in the order that the pool needs")] : []),
    ...coinFaults(p, call),
  ];
  return {
    act: "add_liquidity",
    gives: [
      flow(sideAsset(first, call), within(p.amount0Min, p.amount0Desired), "params.amount0Desired"),
      flow(sideAsset(second, call), within(p.amount1Min, p.amount1Desired), "params.amount1Desired"),
    ],
    receiver: partyAt(p.recipient, call),
    deadline: p.deadline,
    terms: { path: [first, second], ...(faults.length > 0 ? { faults } : {}) },
    choices: [...pool, range(p.tickLower, p.tickUpper, "params.tickLower")],
    places: { receiver: "params.recipient", deadline: "params.deadline", minimum: "params.amount0Min" },
  };
};

const MINT_TAIL =
  "int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline";

const mintUses = {
  token0: feedsAll("asset", "path"),
  token1: feedsAll("asset", "path"),
  tickLower: feeds.choice,
  tickUpper: feeds.choice,
  amount0Desired: feeds.amount,
  amount1Desired: feeds.amount,
  amount0Min: feeds.minimum,
  amount1Min: feeds.minimum,
  recipient: feeds.receiver,
  deadline: feeds.deadline,
};

/** `mint` of the original, and of the fork that identifies pools by tick spacing. */
export const mintByFee = (on: readonly string[]): ProtocolFunction =>
  fn(
    `function mint((address token0, address token1, uint24 fee, ${MINT_TAIL}) params) payable`,
    on,
    { params: { ...mintUses, fee: feeds.choice } },
    ([p], call) => mintDraft(p, [poolChoice(showFee(p.fee), "fee", p)], call),
  );

export const mintByTickSpacing = (on: readonly string[]): ProtocolFunction =>
  fn(
    `function mint((address token0, address token1, int24 tickSpacing, ${MINT_TAIL}, uint160 sqrtPriceX96) params) payable`,
    on,
    {
      params: {
        ...mintUses,
        tickSpacing: feeds.choice,
        sqrtPriceX96: feedsWhen("choice", "it is not zero: the pool is then created at this price"),
      },
    },
    ([p], call) => {
      const spacing = `tick spacing ${p.tickSpacing}`;
      const created =
        p.sqrtPriceX96 === 0n ? [] : [initialPrice(spacing, p.sqrtPriceX96, "params.sqrtPriceX96")];
      return mintDraft(p, [poolChoice(spacing, "tickSpacing", p), ...created], call);
    },
  );

/** The manager accepts deposits to any position, including positions of others. */
const increase = (p: Amounts & { readonly tokenId: bigint; readonly deadline: bigint }): Draft => ({
  act: "add_liquidity",
  gives: [
    flow(FIRST, within(p.amount0Min, p.amount0Desired), "params.amount0Desired"),
    flow(SECOND, within(p.amount1Min, p.amount1Desired), "params.amount1Desired"),
  ],
  receiver: null,
  choices: [{ what: "position", value: p.tokenId, at: "params.tokenId", known: false }],
  deadline: p.deadline,
  places: { deadline: "params.deadline", minimum: "params.amount0Min" },
});

const owed = (most: bigint): Amount =>
  most >= ALL_OWED ? { ...atMost(most), everything: true } : atMost(most);

const increaseFunction = (on: readonly string[]): ProtocolFunction =>
  fn(
    "function increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable",
    on,
    {
      params: {
        tokenId: feeds.choice,
        amount0Desired: feeds.amount,
        amount1Desired: feeds.amount,
        amount0Min: feeds.minimum,
        amount1Min: feeds.minimum,
        deadline: feeds.deadline,
      },
    },
    ([p]) => increase(p),
  );

const decreaseFunction = (on: readonly string[]): ProtocolFunction =>
  fn(
    "function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable",
    on,
    {
      params: {
        tokenId: feeds.asset,
        liquidity: feeds.amount,
        amount0Min: feeds.minimum,
        amount1Min: feeds.minimum,
        deadline: feeds.deadline,
      },
    },
    ([p], call) => ({
      act: "remove_liquidity",
      gives: [flow(nft(call.to, p.tokenId), exactly(p.liquidity), "params.liquidity")],
      gets: [
        flow(FIRST, atLeast(p.amount0Min), "params.amount0Min"),
        flow(SECOND, atLeast(p.amount1Min), "params.amount1Min"),
      ],
      // Removed liquidity is owed to the position, and so to its owner, until `collect` names a receiver.
      receiver: call.sender,
      deadline: p.deadline,
      places: { amount: "params.liquidity", minimum: "params.amount0Min", deadline: "params.deadline" },
    }),
  );

const collectFunction = (on: readonly string[]): ProtocolFunction =>
  fn(
    "function collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params) payable",
    on,
    {
      params: {
        tokenId: feeds.choice,
        recipient: feeds.receiver,
        amount0Max: feeds.amount,
        amount1Max: feeds.amount,
      },
    },
    ([p], call) => ({
      act: "claim",
      gets: [
        flow(FIRST, owed(p.amount0Max), "params.amount0Max"),
        flow(SECOND, owed(p.amount1Max), "params.amount1Max"),
      ],
      receiver: partyAt(p.recipient, call, { venue: ZERO_ADDRESS }),
      // The manager rejects positions that the caller does not own.
      choices: [{ what: "position", value: p.tokenId, at: "params.tokenId", known: true }],
      places: { receiver: "params.recipient" },
    }),
  );

export const positionFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  increaseFunction(on),
  decreaseFunction(on),
  collectFunction(on),
];

/** Functions that move no funds on their own. */
export const positionExtras = (on: readonly string[]): readonly ProtocolFunction[] => [
  // Only a position that is empty and owed nothing can be burnt.
  fn("function burn(uint256 tokenId) payable", on, { tokenId: inert.own_item }, () => ({ act: "harmless" })),
  fn(
    "function permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable",
    on,
    {
      spender: feeds.spender,
      tokenId: feeds.asset,
      deadline: feeds.deadline,
      v: inert.signature,
      r: inert.signature,
      s: inert.signature,
    },
    ([spender, tokenId, deadline], call) => ({
      act: "approve",
      authority: {
        spender: lower(spender),
        asset: nft(call.to, tokenId),
        amount: exactly(1n),
        until: null,
        signed: true,
        at: "spender",
      },
      deadline,
      places: { spender: "spender", deadline: "deadline" },
    }),
  ),
];

/** Creates a pool at the given price if it does not exist. */
export const createPool = (on: readonly string[]): ProtocolFunction =>
  fn(
    "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable",
    on,
    { token0: feeds.choice, token1: feeds.choice, fee: feeds.choice, sqrtPriceX96: feeds.choice },
    ([token0, token1, fee, price]) => ({
      act: "harmless",
      choices: [
        initialPrice(`${lower(token0)}/${lower(token1)} with ${showFee(fee)}`, price, "sqrtPriceX96"),
      ],
    }),
  );
