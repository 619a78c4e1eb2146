/**
 * Chooses the protocol that reads a call. A protocol whose own contract is called comes first; then a standard
 * interface, which any contract may have; then a protocol that merely has a function of that shape, so that a check
 * can report which router the contract imitates.
 */
import type { Knowledge } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import type { KnownFunction, Protocols } from "../protocols/load-protocols.ts";
import type { Registry } from "../registry.ts";
import type { Decoded } from "./abi-reader.ts";
import { decode } from "./decode.ts";

export type Reader = {
  readonly known: KnownFunction;
  readonly decoded: Decoded;
  /** The role of the called contract in that protocol. Null: not one of its own. */
  readonly role: string | null;
  readonly bound: boolean;
  readonly knowledge: Knowledge;
};

export type Knowing = { readonly chain: number; readonly registry: Registry; readonly protocols: Protocols };

type Candidate = { readonly known: KnownFunction; readonly role: string | null; readonly rank: number };

const rank = (knowing: Knowing, known: KnownFunction, to: Address): Candidate => {
  const { on } = known.fn;
  for (const { protocol, role } of knowing.protocols.at(knowing.chain, to)) {
    if (protocol === known.protocol && (on === "anywhere" || on.includes(role)))
      return { known, role, rank: 0 };
  }
  return { known, role: null, rank: on === "anywhere" ? 1 : 2 };
};

const isBenign = (kind: string): boolean => kind.startsWith("trailing_");

/**
 * Returns the first candidate whose arguments are encoded canonically; otherwise the first that can be read;
 * otherwise the first.
 */
const bestDecoded = (
  candidates: readonly Candidate[],
  data: Hex,
): { candidate: Candidate; decoded: Decoded } | null => {
  let fallback: { candidate: Candidate; decoded: Decoded } | null = null;
  for (const candidate of candidates) {
    const decoded = decode(candidate.known.plan, data, 4);
    if (decoded.findings.every(({ kind }) => isBenign(kind))) return { candidate, decoded };
    if (fallback === null || (fallback.decoded.values === null && decoded.values !== null)) {
      fallback = { candidate, decoded };
    }
  }
  return fallback;
};

export const chooseReader = (
  knowing: Knowing,
  call: { readonly to: Address; readonly data: Hex },
  isSelf: (address: Address) => boolean,
): Reader | null => {
  const known = knowing.protocols.functionsFor(call.data.slice(0, 10) as Hex);
  if (known.length === 0) return null;
  const candidates = known.map((each) => rank(knowing, each, call.to));
  const best = Math.min(...candidates.map((each) => each.rank));
  const chosen = bestDecoded(
    candidates.filter((each) => each.rank === best),
    call.data,
  );
  if (chosen === null) return null;
  const { candidate, decoded } = chosen;
  const isStandard =
    best === 1 && (knowing.registry.token(knowing.chain, call.to) !== null || isSelf(call.to));
  return {
    known: candidate.known,
    decoded,
    role: candidate.role,
    bound: best === 0,
    knowledge: best === 0 ? "bound" : isStandard ? "standard" : "selector",
  };
};
