/** The packed words of 1inch's limit orders: the maker's terms, the taker's terms, and addresses with spare bits. */
import { word } from "../../bytes/openings.ts";
import { native, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { compared, feeds, feedsAll, feedsWhen, inert, openedBy } from "../../uses.ts";
import { addressWord } from "./address-word.ts";
import { assetAt, assetOrCoin } from "./swap-draft.ts";

const unwrapUse = feedsWhen("asset", "the asset is the wrapped native token");
const noThreshold = "the taker sets no threshold";

const dates = {
  allowedSender: { at: 0, bits: 80, use: inert.restricts },
  expiration: { at: 80, bits: 40, use: feeds.deadline },
  nonceOrEpoch: { at: 120, bits: 40, use: inert.replay },
  series: { at: 160, bits: 40, use: inert.replay },
  unused: { at: 200, bits: 47, use: inert.unused },
  checksEpoch: { at: 250, bits: 1, use: inert.restricts },
  usesPermit2: { at: 248, bits: 1, use: inert.hint },
  reserved: { at: 253, bits: 1, use: inert.unused },
  allowsMultipleFills: { at: 254, bits: 1, use: inert.bounded },
  refusesPartialFills: { at: 255, bits: 1, use: feeds.terms },
} as const;

/** Interactions are part of the extension. */
const extension = {
  hasExtension: { at: 249, bits: 1, use: feeds.choice },
  hasPostInteraction: { at: 251, bits: 1, use: feeds.choice },
  hasPreInteraction: { at: 252, bits: 1, use: feeds.choice },
} as const;

/** The form that the maker signs. */
export const makerTraits = word("terms of the maker", {
  ...dates,
  ...extension,
  unwraps: { at: 247, bits: 1, use: unwrapUse },
});

/** For an order that sells native token, where unwrapping to the same asset is meaningless. */
export const coinOrderTraits = word("terms of an order for native token", {
  ...dates,
  ...extension,
  unwraps: { at: 247, bits: 1, use: compared("equal", "zero") },
});

/** The same terms for the taker, who is not affected by how the maker is paid. */
export const makerTraitsForTaker = word("terms of the maker, for the taker", {
  ...dates,
  unwraps: { at: 247, bits: 1, use: inert.bounded },
  hasExtension: { at: 249, bits: 1, use: feedsWhen("minimum", noThreshold) },
  hasPostInteraction: { at: 251, bits: 1, use: inert.bounded },
  hasPreInteraction: { at: 252, bits: 1, use: inert.bounded },
});

export const takerTraits = word("terms of the taker", {
  threshold: { at: 0, bits: 185, use: feedsAll("minimum", "amount") },
  unused: { at: 185, bits: 15, use: inert.unused },
  interactionLength: { at: 200, bits: 24, use: feeds.choice },
  extensionLength: { at: 224, bits: 24, use: feeds.choice },
  reserved: { at: 248, bits: 3, use: inert.unused },
  namesTarget: { at: 251, bits: 1, use: compared("equal", "zero") },
  usesPermit2: { at: 252, bits: 1, use: inert.hint },
  skipsPermit: { at: 253, bits: 1, use: inert.hint },
  unwraps: { at: 254, bits: 1, use: unwrapUse },
  byMakingAmount: { at: 255, bits: 1, use: feeds.amount },
});

export const assetWord = addressWord(assetOrCoin);
export const receiverWord = addressWord(feeds.receiver);
export const makerWord = addressWord(compared("equal", "the sender"));
export const wrappedWord = addressWord(compared("equal", "the wrapped native token"));

/** An order signed by another account: only its assets, price and dates affect the taker. */
export const takenOrderUses = {
  salt: inert.replay,
  maker: inert.signature,
  receiver: inert.signature,
  makerAsset: openedBy(assetWord),
  takerAsset: openedBy(assetWord),
  makingAmount: feedsWhen("minimum", noThreshold),
  takingAmount: feedsWhen("minimum", noThreshold),
  makerTraits: openedBy(makerTraitsForTaker),
};

export const MEMBERS =
  "(uint256 salt, uint256 maker, uint256 receiver, uint256 makerAsset, uint256 takerAsset, uint256 makingAmount, uint256 takingAmount, uint256 makerTraits)";
export const ORDER = `${MEMBERS} order` as const;

export type PackedOrder = {
  readonly salt: bigint;
  readonly maker: bigint;
  readonly receiver: bigint;
  readonly makerAsset: bigint;
  readonly takerAsset: bigint;
  readonly makingAmount: bigint;
  readonly takingAmount: bigint;
  readonly makerTraits: bigint;
};

export const isWrapped = (address: Address, call: CallView): boolean =>
  call.registry.chain(call.chain)?.wrapped === address;

/** The protocol unwraps only the wrapped native token: on another token the flag has no effect. */
export const unwrapped = (address: Address, flag: bigint, call: CallView): Asset =>
  flag === 1n && isWrapped(address, call) ? native : assetAt(address);
