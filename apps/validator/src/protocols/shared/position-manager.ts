/** Liquidity positions of V3 style exchanges, which are NFTs: who holds the token holds the position. */
import {
  atLeast,
  atMost,
  exactly,
  native,
  nft,
  token,
  unsaid,
  type Amount,
  type Asset,
} from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
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

/** The coin sent along pays for the side that is the wrapped coin. */
const sideAsset = (address: Address, call: CallView): Asset =>
  call.value > 0n && address === call.registry.chain(call.chain)?.wrapped ? native : token(address);

const mintDraft = (p: Minted, call: CallView): Draft => {
  const [first, second] = [lower(p.token0), lower(p.token1)];
  const faults = [
    ...(p.tickLower >= p.tickUpper ? ["the price range is empty"] : []),
    ...(first >= second ? ["the two tokens are not in the order the pool needs"] : []),
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
    places: { receiver: "params.recipient", deadline: "params.deadline", minimum: "params.amount0Min" },
  };
};

const MINT_TAIL =
  "int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline";

/** `mint` of the original, and of the fork that names pools by tick spacing. */
export const mintByFee = (on: readonly string[]): ProtocolFunction =>
  fn(
    `function mint((address token0, address token1, uint24 fee, ${MINT_TAIL}) params) payable`,
    on,
    ([p], call) => mintDraft(p, call),
  );

export const mintByTickSpacing = (on: readonly string[]): ProtocolFunction =>
  fn(
    `function mint((address token0, address token1, int24 tickSpacing, ${MINT_TAIL}, uint160 sqrtPriceX96) params) payable`,
    on,
    ([p], call) => mintDraft(p, call),
  );

const increase = (p: Amounts & { readonly deadline: bigint }): Draft => ({
  act: "add_liquidity",
  gives: [
    flow(FIRST, within(p.amount0Min, p.amount0Desired), "params.amount0Desired"),
    flow(SECOND, within(p.amount1Min, p.amount1Desired), "params.amount1Desired"),
  ],
  receiver: null,
  deadline: p.deadline,
  places: { deadline: "params.deadline", minimum: "params.amount0Min" },
});

const owed = (most: bigint): Amount =>
  most >= ALL_OWED ? { ...atMost(most), everything: true } : atMost(most);

export const positionFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable",
    on,
    ([p]) => increase(p),
  ),
  fn(
    "function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable",
    on,
    ([p], call) => ({
      act: "remove_liquidity",
      gives: [flow(nft(call.to, p.tokenId), exactly(p.liquidity), "params.liquidity")],
      gets: [
        flow(FIRST, atLeast(p.amount0Min), "params.amount0Min"),
        flow(SECOND, atLeast(p.amount1Min), "params.amount1Min"),
      ],
      // What is taken out is owed to the position, and so to its owner, until `collect` names somebody.
      receiver: call.sender,
      deadline: p.deadline,
      places: { amount: "params.liquidity", minimum: "params.amount0Min", deadline: "params.deadline" },
    }),
  ),
  fn(
    "function collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params) payable",
    on,
    ([p], call) => ({
      act: "claim",
      gets: [
        flow(FIRST, owed(p.amount0Max), "params.amount0Max"),
        flow(SECOND, owed(p.amount1Max), "params.amount1Max"),
      ],
      receiver: partyAt(p.recipient, call, { venue: ZERO_ADDRESS }),
      places: { receiver: "params.recipient" },
    }),
  ),
];

/** What moves no money by itself. */
export const positionExtras = (on: readonly string[]): readonly ProtocolFunction[] => [
  // Only a position that is empty and owed nothing can be burnt.
  fn("function burn(uint256 tokenId) payable", on, () => ({ act: "harmless" })),
  fn(
    "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable",
    on,
    () => ({ act: "harmless" }),
  ),
  fn(
    "function permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable",
    on,
    ([spender, tokenId], call) => ({
      act: "approve",
      authority: {
        spender: lower(spender),
        asset: nft(call.to, tokenId),
        amount: exactly(1n),
        until: null,
        signed: true,
        at: "spender",
      },
      places: { spender: "spender" },
    }),
  ),
];
