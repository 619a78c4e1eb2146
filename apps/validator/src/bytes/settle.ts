/** Merges several steps into one effect: the main step gives its name, the others their terms. */
import {
  sameAsset,
  type Choice,
  type Effect,
  type Flow,
  type Knowledge,
  type Terms,
  type Fault,
} from "../effects.ts";
import { sumFlows } from "./lots.ts";

const standsAlone = new Set<Effect["act"]>([
  "approve",
  "revoke",
  "admin",
  "harmless",
  "vote",
  "delegate",
  "cancel",
]);
const moves = new Set<Effect["act"]>(["forward", "wrap", "unwrap", "transfer"]);

export const isAlone = ({ act }: Effect): boolean => standsAlone.has(act);
/** Whether the effect does more than move funds. */
export const isMain = (effect: Effect): boolean => !isAlone(effect) && !moves.has(effect.act);

export const withFault = (effect: Effect, fault: Fault): Effect => ({
  ...effect,
  terms: { ...effect.terms, faults: [...(effect.terms.faults ?? []), fault] },
});

const joinPaths = (paths: readonly (readonly `0x${string}`[])[]): readonly `0x${string}`[] => {
  const joined: `0x${string}`[] = [];
  for (const path of paths) joined.push(...(joined.at(-1) === path[0] ? path.slice(1) : path));
  return joined;
};

const joinTerms = (effects: readonly Effect[]): Terms => {
  const terms: Terms = Object.assign({}, ...effects.map((effect) => effect.terms)) as Terms;
  const all = effects.flatMap((effect) => effect.terms.faults ?? []);
  const faults = [...new Map(all.map((fault) => [fault.text, fault])).values()];
  const path = joinPaths(effects.map((effect) => effect.terms.path ?? []));
  return { ...terms, ...(faults.length > 0 ? { faults } : {}), ...(path.length > 0 ? { path } : {}) };
};

/** Each choice once. */
const joinChoices = (effects: readonly Effect[]): readonly Choice[] => [
  ...new Map(
    effects.flatMap(({ choices }) => choices).map((choice) => [`${choice.what}:${choice.value}`, choice]),
  ).values(),
];

const weakest = (effects: readonly Effect[]): Knowledge => {
  const order: readonly Knowledge[] = ["none", "selector", "standard", "bound"];
  return order.find((knowledge) => effects.some((effect) => effect.knowledge === knowledge)) ?? "none";
};

export const earliest = (effects: readonly Pick<Effect, "deadline">[]): bigint | null =>
  effects.reduce<bigint | null>(
    (first, { deadline }) => (deadline !== null && (first === null || deadline < first) ? deadline : first),
    null,
  );

/** `last` delivers what `legs` made; its receiver and its guarantees are those of the effect. */
export const settle = (last: Effect, legs: readonly Effect[]): Effect => {
  const all = [...new Set([...legs, last])];
  if (all.length === 1) return last.act === "forward" ? { ...last, act: "transfer" } : last;
  const told = all.findLast(isMain) ?? all.findLast(({ act }) => act !== "forward") ?? last;
  return {
    ...told,
    act: told.act === "forward" ? "transfer" : told.act,
    gets: last.gets,
    receiver: last.receiver,
    deadline: earliest(all),
    terms: joinTerms(all),
    choices: joinChoices(all),
    knowledge: weakest(all),
    places: Object.assign({}, ...all.map(({ places }) => places)) as Effect["places"],
  };
};

const sameAssets = (a: readonly Flow[], b: readonly Flow[]): boolean =>
  a.length === b.length && a.every(({ asset }) => b.some((other) => sameAsset(asset, other.asset)));

/** Parts of one order split over several pools. A part without inputs spends what another part was charged for. */
const isSamePurpose = (a: Effect, b: Effect): boolean =>
  a.act === b.act &&
  isMain(a) &&
  a.payer === b.payer &&
  a.receiver === b.receiver &&
  a.target === b.target &&
  a.gets.length > 0 &&
  sameAssets(a.gets, b.gets) &&
  (a.gives.length === 0 || b.gives.length === 0 || sameAssets(sumFlows(a.gives), sumFlows(b.gives)));

const addUp = (a: Effect, b: Effect): Effect => ({
  ...a,
  gives: sumFlows([...a.gives, ...b.gives]),
  gets: sumFlows([...a.gets, ...b.gets]),
  fees: [...a.fees, ...b.fees],
  deadline: earliest([a, b]),
  choices: joinChoices([a, b]),
  terms: { ...joinTerms([a, b]), ...(a.terms.path === undefined ? {} : { path: a.terms.path }) },
  knowledge: weakest([a, b]),
});

const tidy = (effect: Effect): Effect => {
  const gives = sumFlows(effect.gives);
  const some = gives.filter(({ amount }) => amount.most > 0n);
  return { ...effect, gives: some.length > 0 ? some : gives };
};

export const mergeParts = (effects: readonly Effect[]): readonly Effect[] => {
  const merged: Effect[] = [];
  for (const effect of effects) {
    const at = merged.findIndex((before) => isSamePurpose(before, effect));
    const before = merged[at];
    if (before === undefined) merged.push(tidy(effect));
    else merged[at] = addUp(before, effect);
  }
  return merged;
};
