/** Joining and leaving Balancer V2 pools. The terms are in bytes that each kind of pool decodes in its own way. */
import { blob, word } from "../../bytes/openings.ts";
import { atLeast, atMost, exactly, type Amount } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, DraftChoice } from "../../protocol.ts";
import { compared, feeds, feedsAll, inert, openedBy } from "../../uses.ts";
import { addressIn } from "./swap-draft.ts";

/** A pool's id starts with its address. The vault rejects an id whose other parts are not the registered ones. */
const idWord = word("a pool's id", {
  nonce: { at: 0, bits: 80, use: inert.hint },
  specialization: { at: 80, bits: 16, use: inert.hint },
  pool: { at: 96, bits: 160, use: feedsAll("asset", "choice") },
});
export const poolIdUse = openedBy(idWord);

/** The pool, which is its own share token. */
export const poolOf = (poolId: Hex, call: CallView): Address =>
  addressIn(call.open(idWord, poolId, "poolId").pool);

/** Anyone can make a pool whose shares are worth nothing. */
export const poolChoice = (pool: Address, at: string): DraftChoice => ({ what: "pool", value: pool, at });

const kind = compared("one_of", "the kinds that pools of these bytes know");
/** How the amounts are split, within the limits that the vault enforces. */
const split = inert.bounded;

const exactTokens = blob("uint256 kind, uint256[] amountsIn, uint256 minimum", {
  kind,
  amountsIn: split,
  minimum: feeds.minimum,
});
const sharesForOne = blob("uint256 kind, uint256 shares, uint256 index", {
  kind,
  shares: feeds.amount,
  index: split,
});
const sharesForAll = blob("uint256 kind, uint256 shares", { kind, shares: feeds.amount });
const exactTokensOut = blob("uint256 kind, uint256[] amountsOut, uint256 most", {
  kind,
  amountsOut: split,
  most: feeds.amount,
});

export const joinUse = openedBy(exactTokens, sharesForOne, sharesForAll);
export const exitUse = openedBy(exactTokensOut, sharesForOne, sharesForAll);

const at = "request.userData";
const wordsIn = (data: Hex): number => (data.length - 2) / 64;

const checkKind = (found: bigint, known: readonly bigint[]): void => {
  if (!known.includes(found)) throw new Error("the kind of join or exit is not known");
};

/** The shares that a join guarantees: a minimum, or an exact number. Throws on bytes of another kind. */
export const sharesJoined = (userData: Hex, call: CallView): Amount => {
  if (wordsIn(userData) === 2) {
    const [found, shares] = call.open(sharesForAll, userData, at);
    checkKind(found, [3n]);
    return exactly(shares);
  }
  if (wordsIn(userData) === 3) {
    const [found, shares] = call.open(sharesForOne, userData, at);
    checkKind(found, [2n]);
    return exactly(shares);
  }
  const [found, , minimum] = call.open(exactTokens, userData, at);
  checkKind(found, [1n]);
  return atLeast(minimum);
};

/** The shares that an exit burns: an exact number, or a maximum. Throws on bytes of another kind. */
export const sharesExited = (userData: Hex, call: CallView): Amount => {
  if (wordsIn(userData) === 2) {
    const [found, shares] = call.open(sharesForAll, userData, at);
    checkKind(found, [1n, 2n, 255n]);
    return exactly(shares);
  }
  if (wordsIn(userData) === 3) {
    const [found, shares] = call.open(sharesForOne, userData, at);
    checkKind(found, [0n]);
    return exactly(shares);
  }
  const [found, , most] = call.open(exactTokensOut, userData, at);
  checkKind(found, [1n, 2n]);
  return atMost(most);
};
