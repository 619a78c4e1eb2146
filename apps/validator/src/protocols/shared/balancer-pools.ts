/** Joining and leaving Balancer V2 pools: what is given for what stands in bytes that the pool's own kind explains. */
import { decodeBlob } from "../../bytes/decode.ts";
import { atLeast, atMost, exactly, token, unknownAmount, type Amount, type Asset } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";

/** A pool's id starts with its address, and the pool is its own share token. */
export const poolToken = (poolId: Hex): Asset => token(poolId.slice(0, 42).toLowerCase() as Address);

const attempt = (form: string, data: Hex): readonly unknown[] | null => {
  try {
    return decodeBlob(form, data);
  } catch {
    return null;
  }
};

/** The shares a join promises: a minimum, an exact number, or nothing that can be read. */
export const sharesJoined = (userData: Hex): Amount => {
  const exactIn = attempt("uint256 kind, uint256[] amountsIn, uint256 minimum", userData);
  if (exactIn?.[0] === 1n) return atLeast(exactIn[2] as bigint);
  const exactOut =
    attempt("uint256 kind, uint256 shares", userData) ??
    attempt("uint256 kind, uint256 shares, uint256 index", userData);
  return exactOut !== null && (exactOut[0] === 2n || exactOut[0] === 3n)
    ? exactly(exactOut[1] as bigint)
    : unknownAmount;
};

/** The shares an exit burns: an exact number, at most a number, or nothing that can be read. */
export const sharesExited = (userData: Hex): Amount => {
  const exactIn =
    attempt("uint256 kind, uint256 shares", userData) ??
    attempt("uint256 kind, uint256 shares, uint256 index", userData);
  if (exactIn !== null) return exactly(exactIn[1] as bigint);
  const limited = attempt("uint256 kind, uint256[] amountsOut, uint256 most", userData);
  return limited === null ? unknownAmount : atMost(limited[2] as bigint);
};
