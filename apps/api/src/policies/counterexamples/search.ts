// Looks for a world that an invariant forbids and a policy lets pass. It chooses fact by fact, and gives up a choice as soon as a rule
// objects or the invariant cannot apply any more, whatever the other facts are.
import type { Domains } from "./domains.ts";
import { isAbout, objects, passes, type ModelRule } from "./policy-model.ts";
import { unknown, type Unknown } from "./values.ts";
import {
  facts,
  isConsistent,
  seenByPolicy,
  type Fact,
  type Ground,
  type Partly,
  type World,
} from "./world.ts";

export type Question = {
  readonly rules: readonly ModelRule[];
  readonly invariant: ModelRule;
  readonly domains: Domains;
  readonly ground: Ground;
};

export type Limits = {
  /** Choices that may be tried. */
  readonly most: number;
  /** True once the time is over. */
  readonly isLate: () => boolean;
};

export type Searched = {
  readonly found: World | undefined;
  /** Choices that were tried. */
  readonly tried: number;
  /** False if a limit ended the search before everything was tried. */
  readonly isComplete: boolean;
};

class Stopped extends Error {}

const sumPaths = ["day", "day.usd", "day.usdToNew", "day.micro", "day.microToNew"];
const readsSums = ({ mentions }: ModelRule): boolean => sumPaths.some((path) => mentions.literals.has(path));

/** How many transactions of the day have to pass: so many, and where sums count every number before that rules tell apart. */
export const countsOf = (
  invariant: ModelRule,
  { count: counts }: Domains,
  { count }: World,
): readonly number[] => [...(readsSums(invariant) ? counts.filter((one) => one < count) : []), count];

/** Whether a complete world is a counterexample. */
function isCounterexample({ rules, invariant, domains, ground }: Question, world: World): boolean {
  if (!isConsistent(world) || isAbout(invariant, ground, world) !== true) return false;
  return countsOf(invariant, domains, world).every((count) => passes(rules, ground, { ...world, count }));
}

type State = {
  readonly world: Partly;
  /** Rules that may still object. */
  readonly open: readonly ModelRule[];
  readonly invariant: boolean | Unknown;
};

/** The next fact to choose: of the invariant while it is open, then of the first open rule. */
function nextFact({ invariant }: Question, { world, open, invariant: state }: State): Fact | undefined {
  const free = facts.filter((fact) => !(fact in world));
  const wanted = [...(state === unknown ? [invariant] : []), ...open];
  for (const { mentions, action } of wanted) {
    const fact = free.find((one) => mentions.facts.has(one) || (one === "act" && action !== null));
    if (fact !== undefined) return fact;
  }
  return free[0];
}

/** Undefined if nothing below can be a counterexample. */
function choose(
  { invariant, ground }: Question,
  state: State,
  fact: Fact,
  value: unknown,
): State | undefined {
  const world: Partly = { ...state.world, [fact]: value };
  if (!isConsistent(world)) return undefined;
  const about = state.invariant === unknown ? isAbout(invariant, ground, world) : state.invariant;
  if (about === false) return undefined;
  const requests = seenByPolicy(ground, world);
  const open: ModelRule[] = [];
  for (const rule of state.open) {
    const objection = objects(rule, requests, world);
    if (objection === true) return undefined;
    if (objection === unknown) open.push(rule);
  }
  return { world, open, invariant: about };
}

/** Returns the first counterexample that `confirm` agrees with. */
export function search(
  question: Question,
  { most, isLate }: Limits,
  confirm: (world: World) => World | undefined,
): Searched {
  let tried = 0;
  const walk = (state: State): World | undefined => {
    const fact = nextFact(question, state);
    if (fact === undefined) {
      const world = state.world as World;
      return isCounterexample(question, world) ? confirm(world) : undefined;
    }
    for (const value of question.domains[fact]) {
      tried += 1;
      if (tried > most || (tried % 64 === 0 && isLate())) throw new Stopped();
      const next = choose(question, state, fact, value);
      const found = next && walk(next);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  try {
    const found = walk({ world: {}, open: question.rules, invariant: unknown });
    return { found, tried, isComplete: true };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { found: undefined, tried, isComplete: false };
  }
}

/** Replaces each fact by its most ordinary value with which it is still a counterexample. */
export function simplify(question: Question, world: World): World {
  return facts.reduce<World>((kept, fact) => {
    for (const value of question.domains[fact]) {
      if (value === kept[fact]) return kept;
      const simpler = { ...kept, [fact]: value };
      if (isCounterexample(question, simpler)) return simpler;
    }
    return kept;
  }, world);
}
