/** Reads a message to be signed. An unknown message is opaque: a signature can move as much as a transaction. */
import type { Effect } from "../effects.ts";
import type { Address, TypedData } from "../proposal.ts";
import type { CallView, Read } from "../protocol.ts";
import type { KnownTypedData } from "../protocols/load-protocols.ts";
import { useAt, type UseTree } from "../uses.ts";
import { makeEffect, type Origin } from "./make-effect.ts";
import { makeOpen } from "./open.ts";
import { isContractOf, normalise, opaque, readInner, type Run } from "./unroll.ts";
import type { Frame } from "./make-leaf.ts";

export const ORDER = "proposed_tx.order";
const ADDRESS = /^0x[0-9a-f]{40}$/;

export const verifierOf = (data: TypedData): Address | null => {
  const at = data.domain["verifyingContract"];
  const address = typeof at === "string" ? at.toLowerCase() : "";
  return ADDRESS.test(address) ? (address as Address) : null;
};

type Match = KnownTypedData & { readonly role: string | null; readonly rank: number };

const match = (run: Run, known: KnownTypedData, data: TypedData, verifier: Address | null): Match | null => {
  if (!known.data.members.every((member) => Object.hasOwn(data.message, member))) return null;
  const { on } = known.data;
  const claims = verifier === null ? [] : run.protocols.at(run.chain, verifier);
  const claim = claims.find(
    ({ protocol, role }) => protocol === known.protocol && (on === "anywhere" || on.includes(role)),
  );
  if (claim !== undefined) return { ...known, role: claim.role, rank: 0 };
  return { ...known, role: null, rank: on === "anywhere" ? 1 : 2 };
};

/** Bound before standard before look-alike. Among equals, the reader that requires the most fields is the most specific. */
const candidates = (run: Run, data: TypedData, verifier: Address | null): readonly Match[] =>
  run.protocols
    .typedDataFor(data.primaryType)
    .map((known) => match(run, known, data, verifier))
    .filter((found) => found !== null)
    .sort((a, b) => a.rank - b.rank || b.data.members.length - a.data.members.length);

const knowledgeOf = (run: Run, verifier: Address | null, found: Match | null): Origin["knowledge"] => {
  if (found === null) return "none";
  if (found.rank === 0) return "bound";
  const isToken = verifier !== null && run.registry.token(run.chain, verifier) !== null;
  return found.rank === 1 && isToken ? "standard" : "selector";
};

const originOf = (run: Run, frame: Frame, verifier: Address | null, found: Match | null): Origin => ({
  where: ORDER,
  nodes: [],
  prefix: "message.",
  target: verifier,
  sender: frame.sender,
  isSelf: (address) => frame.self.has(address),
  isOwnContract: isContractOf(run, found?.protocol ?? ""),
  protocol: found?.protocol ?? "",
  function: found?.data.primaryType ?? "",
  venue: found?.rank === 0 ? found.protocol : null,
  knowledge: knowledgeOf(run, verifier, found),
});

/** Returns the path of a field that the declaration does not account for, or null. */
const strayMember = (uses: UseTree, value: unknown, path: readonly string[]): string | null => {
  if (path.length > 0 && useAt(uses, path) !== null) return null;
  if (typeof value !== "object" || value === null) return path.join(".");
  for (const [key, member] of Object.entries(value)) {
    const stray = strayMember(uses, member, [...path, key]);
    if (stray !== null) return stray;
  }
  return null;
};

const ask = (found: Match, data: TypedData, view: CallView): Read | string => {
  const { uses } = found.data;
  const stray = strayMember(uses, data.message, []);
  if (stray !== null) return `the message has an unknown field: ${stray}`;
  try {
    return normalise(found.data.read(data, view));
  } catch (error) {
    return error instanceof Error ? error.message : "the message is not valid";
  }
};

const NOWHERE: Address = `0x${"0".repeat(40)}`;

/** Several protocols sign the same type for different purposes. The first one that can read the message reads it. */
const understand = (
  run: Run,
  frame: Frame,
  data: TypedData,
): { origin: Origin; read: Read | string; to: Address } => {
  const verifier = verifierOf(data);
  const to = verifier ?? NOWHERE;
  let failed: string | null = null;
  for (const found of candidates(run, data, verifier)) {
    const view: CallView = {
      to,
      value: 0n,
      sender: frame.sender,
      chain: run.chain,
      role: found.role,
      registry: run.registry,
      isSelf: (address) => frame.self.has(address.toLowerCase() as Address),
      open: makeOpen({
        where: ORDER,
        nodes: [],
        uses: found.data.uses,
        base: null,
        prefix: "message",
        opened: run.opened,
      }),
    };
    const read = ask(found, data, view);
    if (typeof read !== "string") return { origin: originOf(run, frame, verifier, found), read, to };
    failed ??= read;
  }
  const origin = { ...originOf(run, frame, verifier, null), function: data.primaryType };
  return { origin, read: failed ?? "messages of this type are not known", to };
};

export const readTypedData = (run: Run, frame: Frame, data: TypedData): readonly Effect[] => {
  const { origin, read, to } = understand(run, frame, data);
  if (typeof read === "string") return [opaque(origin, 0n, read)];
  const effects = (read.effects ?? []).map((draft) => makeEffect(origin, draft));
  const signed: Frame = { ...frame, where: ORDER, sender: "self", base: null };
  return [...effects, ...readInner(run, signed, { to, data: "0x", nodes: [] }, read.calls ?? [])];
};
