/** Compares where it happens: the venue, the chain, and the destination chain. */
import type { Comparison } from "../entailment.ts";
import { cannotTell, differs, same, type Pair, type World } from "./world.ts";

export function compareVenue({ step, effect }: Pair, world: World): Comparison[] {
  if (effect.act === "approve" || effect.act === "revoke") return [];
  const does =
    effect.venue ??
    (effect.target === null ? "a deployment" : `${effect.target}, not a known contract of any venue`);
  const shown = { slot: "venue" as const, does, where: effect.where, confidence: 1 };
  const is = (venue: string): boolean =>
    effect.venue !== null && world.protocols.satisfies(venue, effect.venue);
  const wanted = step.venues.filter(({ mode }) => mode === "on");
  const avoided = step.venues.filter(({ mode, venue }) => mode === "avoid" && is(venue));
  const broken = avoided.map(({ venue, span }) =>
    differs({
      ...shown,
      asked: `anything but ${venue}`,
      words: span,
      fix: `Use a venue other than ${venue}.`,
    }),
  );
  const [first] = wanted;
  if (first === undefined) return broken;
  const hit = wanted.find(({ venue }) => is(venue));
  const found = { ...shown, asked: (hit ?? first).venue, words: (hit ?? first).span };
  return [
    hit === undefined
      ? differs({ ...found, fix: `Use ${found.asked}’s own contract on this chain.` })
      : same(found),
    ...broken,
  ];
}

export function compareChains({ step, effect }: Pair, world: World): Comparison[] {
  return [...compareChain(step.chain, effect.where, world), ...compareToChain({ step, effect }, world)];
}

const nameOf = (id: number, world: World): string => world.registry.chain(id)?.name ?? `chain ${String(id)}`;

export function compareChain(
  said: { readonly value: number; readonly span: Comparison["words"] } | null,
  where: Comparison["where"],
  world: World,
): Comparison[] {
  if (said === null) return [];
  const { id, assumed } = world.proposal.chain;
  const found = {
    slot: "chain" as const,
    asked: nameOf(said.value, world),
    does: `${nameOf(id, world)}${assumed ? " (assumed, none was given)" : ""}`,
    words: said.span,
    where,
    confidence: assumed ? 0.7 : 1,
  };
  return [
    said.value === id
      ? same(found)
      : differs({ ...found, confidence: 1, fix: `Propose it on ${found.asked}.` }),
  ];
}

function compareToChain({ step, effect }: Pick<Pair, "step" | "effect">, world: World): Comparison[] {
  if (effect.toChain === null) {
    if (step.toChain === null || step.toChain.value === world.proposal.chain.id) return [];
    return [
      differs({
        slot: "to_chain",
        asked: nameOf(step.toChain.value, world),
        does: "stays on this chain",
        words: step.toChain.span,
        where: effect.where,
        confidence: 1,
        fix: "Use a bridge to that chain.",
      }),
    ];
  }
  const does = nameOf(effect.toChain, world);
  const where = effect.places["toChain"] ?? effect.where;
  if (step.toChain === null)
    return [
      cannotTell({
        slot: "to_chain",
        asked: "no destination chain named",
        does,
        words: step.verb.span,
        where,
        confidence: 1,
        fix: "Name the destination chain in the request.",
      }),
    ];
  const found = {
    slot: "to_chain" as const,
    asked: nameOf(step.toChain.value, world),
    does,
    words: step.toChain.span,
    where,
    confidence: 1,
  };
  return [
    step.toChain.value === effect.toChain
      ? same(found)
      : differs({ ...found, fix: `Send it to ${found.asked}.` }),
  ];
}
