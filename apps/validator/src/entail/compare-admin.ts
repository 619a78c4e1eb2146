/** Compares changes of control over an account or a contract. They are never implied and always named. */
import type { Party } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import { matchParty } from "./parties.ts";
import { showParty, showPartyRef } from "./show.ts";
import { cannotTell, differs, same, type Pair, type World } from "./world.ts";

const readable = (kind: string): string => kind.replaceAll("_", " ");

/** The act of control must be the one named, and the party that gains control the party named. */
export function compareAdmin(pair: Pair, world: World): Comparison[] {
  const { admin } = pair.effect;
  if (admin === null || !pair.step.acts.includes("admin")) return [];
  return [
    compareKind(pair, admin.kind),
    ...(admin.party === null ? [] : [compareParty(pair, admin.party, world)]),
    ...(admin.replaced === undefined ? [] : [compareReplaced(pair, admin.replaced, world)]),
    ...(admin.threshold === undefined ? [] : [compareThreshold(pair, admin.threshold)]),
  ];
}

/** The party that is replaced matters as much as the party that replaces it. */
function compareReplaced({ step, effect }: Pair, party: Party, world: World): Comparison {
  const said = step.admin?.replaced ?? null;
  const found = {
    slot: "recipient" as const,
    asked: said === null ? "no one named" : `in place of ${showPartyRef(said)}`,
    does: `in place of ${showParty(party)}`,
    words: said?.span ?? step.verb.span,
    where: effect.where,
    confidence: 1,
  };
  if (said === null)
    return cannotTell({ ...found, fix: "Name in the request, by address, whom it replaces." });
  return matchParty(party, said, world).outcome === "same"
    ? same(found)
    : differs({ ...found, fix: `Replace ${showPartyRef(said)}.` });
}

/**
 * Compares the number of required signatures. If the request does not state it, it may stay as it is, unless one
 * signature would then be enough.
 */
function compareThreshold({ step, effect }: Pair, threshold: bigint): Comparison {
  const said = step.admin?.threshold ?? null;
  const found = {
    slot: "scope" as const,
    asked: said === null ? "no threshold stated" : `${said.value} signatures`,
    does: `${threshold} signatures`,
    words: said?.span ?? step.verb.span,
    where: effect.where,
    confidence: 1,
  };
  if (said !== null)
    return said.value === threshold
      ? same(found)
      : differs({ ...found, fix: `Set the threshold to ${said.value}.` });
  if (threshold > 1n && effect.admin?.kind !== "change_threshold")
    return same({ ...found, confidence: 0.85 });
  return cannotTell({ ...found, fix: "State in the request how many must sign." });
}

function compareKind({ step, effect }: Pair, kind: string): Comparison {
  const found = {
    slot: "action" as const,
    asked: readable(step.admin?.kind ?? step.verb.word),
    does: readable(kind),
    words: step.admin?.span ?? step.verb.span,
    where: effect.where,
    confidence: 1,
  };
  if (step.admin?.kind === kind) return same(found);
  return differs({ ...found, fix: `Propose “${found.asked}”, not “${found.does}”.` });
}

function compareParty({ step, effect }: Pair, party: Party, world: World): Comparison {
  const said = step.admin?.party ?? step.to[0] ?? step.spender;
  const found = {
    slot: "recipient" as const,
    asked: said === null ? "no one named" : showPartyRef(said),
    does: showParty(party),
    words: said?.span ?? step.verb.span,
    where: effect.places["party"] ?? effect.where,
  };
  if (said === null)
    return cannotTell({ ...found, confidence: 1, fix: "Name the party in the request, by address." });
  const match = matchParty(party, said, world);
  if (match.outcome === "same") return same({ ...found, confidence: match.confidence });
  return differs({ ...found, confidence: 1, fix: `Change it to ${found.asked}.` });
}
