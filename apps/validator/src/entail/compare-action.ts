/** Compares the verb with the act, and its direction. */
import type { Asset } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { AssetRef } from "../intent.ts";
import { isReversed, licensesAct } from "./acts.ts";
import { isAlike, likeness } from "./assets.ts";
import { showAssetRef, symbolOf } from "./show.ts";
import { differs, same, type Pair, type World } from "./world.ts";

/** Acts whose internal name would mean nothing to the owner. */
const inWords: Readonly<Record<string, string>> = {
  admin: "a change of control",
  opaque: "something we cannot read",
};
const readable = (act: string): string => inWords[act] ?? act.replaceAll("_", " ");

export function compareAction(pair: Pair, world: World): Comparison[] {
  const { step, effect } = pair;
  const confidence = licensesAct(step, effect, world);
  const shown = {
    asked: step.verb.word,
    does: readable(effect.act),
    words: step.verb.span,
    where: effect.where,
  };
  const reversed = compareDirection(pair, world);
  if (confidence > 0) return [same({ ...shown, slot: "action", confidence }), ...reversed];
  const fix = `Propose a transaction that does “${step.verb.word}”, not ${readable(effect.act)}.`;
  return [differs({ ...shown, slot: "action", confidence: 1, fix }), ...reversed];
}

function compareDirection(pair: Pair, world: World): Comparison[] {
  const { step, effect } = pair;
  if (!isReversed(step, effect, world)) return effect.act === "swap" ? compareSides(pair, world) : [];
  return [
    differs({
      slot: "direction",
      asked: step.verb.word,
      does: readable(effect.act),
      words: step.verb.span,
      where: effect.where,
      confidence: 1,
      fix: "Reverse it: it does the opposite.",
    }),
  ];
}

/** A swap in the wrong direction gives the asset that should arrive and gets the one that should leave. */
function compareSides({ step, effect }: Pair, world: World): Comparison[] {
  const [give, get] = [step.gives, step.gets].map(([first]) => first?.asset ?? null);
  const [out, back] = [effect.gives, effect.gets].map(([first]) => first?.asset ?? null);
  if (!give || !get || !out || !back) return [];
  const place = { chain: world.proposal.chain.id, registry: world.registry };
  const found = {
    slot: "direction" as const,
    asked: `${showAssetRef(give)} → ${showAssetRef(get)}`,
    does: `${symbolOf(out, place)} → ${symbolOf(back, place)}`,
    words: step.verb.span,
    where: effect.where,
    confidence: 1,
  };
  const is = (asset: Asset, said: AssetRef): boolean => isAlike(likeness(asset, said, world, true));
  const reversed = is(out, get) && is(back, give) && !is(out, give);
  return [reversed ? differs({ ...found, fix: "Exchange the two assets." }) : same(found)];
}
