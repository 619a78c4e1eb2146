/**
 * Another honest reading: a word that names a venue and its token. "Put 1.5 ETH into AAVE" lends to the one or buys the other, and
 * the bytes tell which. Either reading must account for every other word by itself, so that nothing else is licensed by it.
 */
import type { Effect } from "../effects.ts";
import type { Act, Intent, Step } from "../intent.ts";
import type { World } from "./world.ts";

const LENDS: readonly Act[] = ["supply", "stake", "add_liquidity"];

/** The venue said in capitals, as a token is, and taken for what is bought. */
function asToken(step: Step, { proposal, registry }: World): Step | null {
  const [venue, ...more] = step.venues;
  if (venue?.mode !== "on" || more.length > 0 || step.gets.length > 0 || !step.acts.includes("swap"))
    return null;
  const text = proposal.words.slice(venue.span[0], venue.span[1]);
  if (text !== text.toUpperCase() || !registry.isSymbol(text)) return null;
  const asset = { kind: "symbol", symbol: text, span: venue.span } as const;
  return { ...step, acts: ["swap"], venues: [], gets: [{ asset, quantity: null }] };
}

/** The token said without an amount, as what is bought, and taken for the place it is lent to. */
function asVenue(step: Step, venue: string, world: World): Step | null {
  const [get, ...more] = step.gets;
  if (get?.asset?.kind !== "symbol" || get.quantity !== null || more.length + step.venues.length > 0)
    return null;
  const said = get.asset.symbol.toLowerCase();
  // A verb that only trades asks for the token.
  if (step.verb.word !== "" && !step.acts.some((act) => LENDS.includes(act))) return null;
  if (!world.protocols.satisfies(said, venue)) return null;
  return { ...step, acts: LENDS, gets: [], venues: [{ venue: said, mode: "on", span: get.asset.span }] };
}

/** The words with the name taken the other way, where they are one request and the bytes do one thing. */
export function rename(effect: Effect, world: World): Intent | null {
  const [step, ...more] = world.intent.steps;
  if (step === undefined || more.length > 0 || effect.venue === null) return null;
  const other = effect.act === "swap" ? asToken(step, world) : asVenue(step, effect.venue, world);
  return other === null ? null : { ...world.intent, steps: [other] };
}
