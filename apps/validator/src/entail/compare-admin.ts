/** Control of an account or a contract: never implied, always by name. */
import type { Party } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import { matchParty } from "./parties.ts";
import { showParty, showPartyRef } from "./show.ts";
import { cannotTell, differs, same, type Pair, type World } from "./world.ts";

const readable = (kind: string): string => kind.replaceAll("_", " ");

/** The act of control named must be the act done, and the party named the party put in control. */
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

/** Whose place is taken matters as much as who takes it. */
function compareReplaced({ step, effect }: Pair, party: Party, world: World): Comparison {
  const said = step.admin?.replaced ?? null;
  const found = {
    slot: "recipient" as const,
    asked: said === null ? "nobody named" : `in the place of ${showPartyRef(said)}`,
    does: `in the place of ${showParty(party)}`,
    words: said?.span ?? step.verb.span,
    where: effect.where,
    confidence: 1,
  };
  if (said === null)
    return cannotTell({ ...found, fix: "Say in the request, by address, whom it replaces." });
  return matchParty(party, said, world).outcome === "same"
    ? same(found)
    : differs({ ...found, fix: `Replace ${showPartyRef(said)}.` });
}

/** How many must sign. Unsaid it may stay what it is, unless one signature would do from then on. */
function compareThreshold({ step, effect }: Pair, threshold: bigint): Comparison {
  const said = step.admin?.threshold ?? null;
  const found = {
    slot: "scope" as const,
    asked: said === null ? "no threshold named" : `${said.value} signatures`,
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
  return cannotTell({ ...found, fix: "Say in the request how many must sign." });
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
    asked: said === null ? "nobody named" : showPartyRef(said),
    does: showParty(party),
    words: said?.span ?? step.verb.span,
    where: effect.places["party"] ?? effect.where,
  };
  if (said === null)
    return cannotTell({ ...found, confidence: 1, fix: "Say in the request, by address, who it is about." });
  const match = matchParty(party, said, world);
  if (match.outcome === "same") return same({ ...found, confidence: match.confidence });
  return differs({ ...found, confidence: 1, fix: `Make it ${found.asked}.` });
}
