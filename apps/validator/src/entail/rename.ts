/**
 * An alternative reading: a name that means both a venue and its token. "Put 1.5 ETH into AAVE" lends to the one or
 * buys the other, and the transaction decides which. Either reading must account for every other word alone, so that
 * it licenses nothing else.
 */
import type { Effect } from "../effects.ts";
import type { Act, Intent, Step } from "../intent.ts";
import type { World } from "./world.ts";

const LENDS: readonly Act[] = ["supply", "stake", "add_liquidity"];

/** A venue in capitals, like a token, read as the asset that is bought. */
function asToken(step: Step, { proposal, registry }: World): Step | null {
  const [venue, ...more] = step.venues;
  if (venue?.mode !== "on" || more.length > 0 || step.gets.length > 0 || !step.acts.includes("swap"))
    return null;
  const text = proposal.words.slice(venue.span[0], venue.span[1]);
  if (text !== text.toUpperCase() || !registry.isSymbol(text)) return null;
  const asset = { kind: "symbol", symbol: text, span: venue.span } as const;
  return { ...step, acts: ["swap"], venues: [], gets: [{ asset, quantity: null }] };
}

/** A token without an amount, as the asset that is bought, read as the venue it is lent to. */
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

/** The request with the name in its other meaning, if it is one request and the transaction does one thing. */
export function rename(effect: Effect, world: World): Intent | null {
  const [step, ...more] = world.intent.steps;
  if (step === undefined || more.length > 0 || effect.venue === null) return null;
  const other = effect.act === "swap" ? asToken(step, world) : asVenue(step, effect.venue, world);
  return other === null ? null : { ...world.intent, steps: [other] };
}
