/**
 * An alternative reading: one request in several sentences. "I owe Sam some money. He gets 25 LINK, his wallet is
 * 0x…" asks for one thing, however many verbs it has. If the transaction does one thing, the whole text is read as
 * one step, which must account for every word: one asset, one amount, one party. If the text has two of any, there is
 * no such reading.
 */
import type { Effect } from "../effects.ts";
import type { Intent, PartyRef, Portion, Quantity, Step } from "../intent.ts";
import { licensesAct } from "./acts.ts";
import { isLabelled } from "./parties.ts";
import type { World } from "./world.ts";

/** Acts with a single asset: nothing about them depends on which asset comes first. */
const single = new Set(["transfer", "supply", "withdraw", "borrow", "repay", "stake", "unstake", "bridge"]);

export function flatten(effect: Effect, world: World): Intent | null {
  const { intent } = world;
  const [first] = intent.steps;
  if (first === undefined || !single.has(effect.act)) return null;
  const fitting = intent.steps.find((step) => licensesAct(step, effect, world) > 0);
  const strangers = intent.steps.some((step) => licensesAct(step, effect, world) === 0);
  if (fitting === undefined || strangers) return null;
  const portions = onePortion(intent.steps);
  const to = oneParty(intent.steps, world);
  if (portions === null || to === null) return null;
  const merged: Step = { ...mergeTerms(intent.steps, fitting), gives: portions, gets: [], to };
  return { ...intent, steps: [merged] };
}

/** The one amount and the one asset of the whole text. Null: there are two. */
function onePortion(steps: readonly Step[]): readonly Portion[] | null {
  const all = steps.flatMap(({ gives, gets }) => [...gives, ...gets]);
  const named = all.filter(({ asset }) => asset !== null);
  const exact = named.filter(({ quantity }) => isHard(quantity));
  const loose = all.filter(({ asset, quantity }) => asset === null && isHard(quantity));
  const names = new Set(named.map(({ asset }) => nameOf(asset)));
  if (names.size > 1 || exact.length + loose.length > 1) return null;
  const asset = named[0]?.asset ?? null;
  const quantity = (exact[0] ?? loose[0])?.quantity ?? null;
  return asset === null && quantity === null ? [] : [{ asset, quantity }];
}

/** "Some money", "a bit": next to a number they have no meaning. */
const isHard = (quantity: Quantity | null): boolean => quantity !== null && quantity.kind !== "vague";

const nameOf = (asset: Portion["asset"]): string => {
  if (asset === null) return "";
  if (asset.kind === "nft") return `${asset.collection ?? ""}#${asset.ids.join(",")}`;
  return asset.kind === "symbol" ? asset.symbol : asset.kind === "address" ? asset.address : asset.name;
};

/** Everyone who is named, who must all be the same party. A name that cannot be resolved yields to an address next to it. */
function oneParty(steps: readonly Step[], world: World): readonly PartyRef[] | null {
  const all = steps.flatMap(({ to, onBehalfOf }) => [...to, ...(onBehalfOf === null ? [] : [onBehalfOf])]);
  const hard = all.filter(({ kind }) => kind === "address" || kind === "name");
  const soft = all.filter(({ kind }) => kind === "contact" || kind === "self");
  const used =
    hard.length > 0 ? hard : soft.filter((party) => party.kind === "self" || isLabelled(party, world));
  const distinct = new Set(used.map((party) => JSON.stringify({ ...party, span: null, called: null })));
  const named = used.find((party) => party.kind === "address" && party.called !== undefined);
  return distinct.size > 1 ? null : named === undefined ? used.slice(0, 1) : [named];
}

/** A term that is stated once applies to the whole text. */
function mergeTerms(steps: readonly Step[], base: Step): Step {
  const first = <K extends keyof Step>(key: K): Step[K] =>
    (steps.find((step) => step[key] !== null) ?? base)[key];
  return {
    ...base,
    venues: steps.flatMap(({ venues }) => venues),
    chain: first("chain"),
    toChain: first("toChain"),
    slippageBps: first("slippageBps"),
    deadline: first("deadline"),
    gas: first("gas"),
    fee: first("fee"),
    from: first("from"),
    conditions: steps.flatMap(({ conditions }) => conditions),
  };
}
