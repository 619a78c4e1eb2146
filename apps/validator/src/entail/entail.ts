/**
 * Two-sided coverage. The request must license every effect that moves value, grants authority or changes control,
 * and the effects must satisfy every hard word. Only the request licenses: no hint of the caller counts as consent.
 */
import type { Effect } from "../effects.ts";
import type { Comparison, Entailment } from "../entailment.ts";
import type { Quantity, Step } from "../intent.ts";
import { admit, isSettled, lacksOnlyEvidence } from "./admit.ts";
import { compareChoices } from "./compare-choices.ts";
import { compareWorth } from "./compare-worth.ts";
import { brokenTerms, openConditions, unreadWords } from "./coverage.ts";
import { showDecimal } from "./decimals.ts";
import { describeEffect } from "./describe-effect.ts";
import { flatten } from "./flatten.ts";
import { implied, strayApproval, type Implied } from "./implied.ts";
import { assign, type Compared } from "./pair.ts";
import { rename } from "./rename.ts";
import { compareSequence, isBareApproval } from "./sequence.ts";
import { compareChain } from "./compare-places.ts";
import { cannotTell, differs, type World } from "./world.ts";

/**
 * Returns the first reading that leaves nothing open; otherwise the first that only lacks evidence; otherwise the
 * plain one.
 */
export function entail(world: World): Entailment {
  const plain = admitted(world);
  if (isSettled(plain)) return plain;
  const all = [
    plain,
    ...otherReadings.flatMap((reading) => readAgain(reading, world) ?? []),
    ...readStrictly(world),
  ];
  return all.find(isSettled) ?? all.find(lacksOnlyEvidence) ?? plain;
}

/**
 * Readings that the request itself allows under stricter rules. A reading that leaves nothing open on either side is
 * the request.
 */
const readStrictly = (world: World): readonly Entailment[] =>
  (world.intent.others ?? []).map((other) =>
    unsure(admitted({ ...world, intent: { ...world.intent, ...other, ambiguities: [] } })),
  );

/** Compares the plain reading only: an effect that was measured is not explained by another reading of the request. */
export const entailPlainly = (world: World): Entailment => admitted(world);

/** A reading is open as long as its own words are. */
const admitted = (world: World): Entailment => admit(entailAs(world), world);

const unsure = (read: Entailment): Entailment => ({
  ...read,
  comparisons: read.comparisons.map((one) => ({ ...one, confidence: Math.min(one.confidence, 0.85) })),
});

/** If the transaction does one thing: the sentences as one request, and a venue's name as its token's. */
const otherReadings = [flatten, rename] as const;

function readAgain(reading: (typeof otherReadings)[number], world: World): Entailment | null {
  const [only, ...more] = world.reading.effects.filter(
    (effect) => implied(effect, [], world) === null && effect.act !== "approve",
  );
  const intent = only === undefined || more.length > 0 ? null : reading(only, world);
  if (intent === null) return null;
  return unsure(admitted({ ...world, intent }));
}

function entailAs(world: World): Entailment {
  const asked = pairSteps(world);
  const brought = impliedBy(asked, world);
  const mismatched = pairTheRest(asked, brought, world);
  const pairs = [...asked, ...mismatched];
  const licences = [
    ...pairs.map(({ index }) => ({ effect: index.effect, step: index.step, rule: "asked for" })),
    ...[...brought].map(([effect, { rule }]) => ({ effect, step: null, rule })),
  ];
  const unexplained = rest(world.reading.effects.length, new Set(licences.map(({ effect }) => effect)));
  const unreadable = findUnreadable(unexplained, pairs, world);
  const free = unexplained.filter((index) => !unreadable.some(({ effect }) => effect === index));
  const unlicensed = [...free, ...mismatched.filter(isRefused).map(({ index }) => index.effect)];
  return {
    licences: licences.filter(({ effect }) => !unlicensed.includes(effect)),
    unlicensed: unlicensed.flatMap((index) => describe(index, world)),
    comparisons: [
      ...pairs.flatMap(({ comparisons }) => comparisons),
      ...[...brought.values()].flatMap(({ comparisons }) => comparisons),
      ...free.flatMap((index) => {
        const effect = world.reading.effects[index];
        return effect === undefined ? [] : strayApproval(effect, world);
      }),
      ...unreadable.map(({ comparison }) => comparison),
      ...compareSequence(
        pairs,
        world,
        unreadable.map(({ step }) => step),
      ),
      ...domainChain(world),
      ...(unreadable.length > 0 ? [] : nothingDone(pairs, world)),
      ...compareChoices(world.reading.effects, world),
      ...compareWorth(pairs, world),
      ...openConditions(world),
    ],
    unmet: brokenTerms(world),
    unread: unreadWords(world),
    ambiguous: [...world.intent.ambiguities, ...ambiguousNumbers(world.intent.steps)],
  };
}

type Unreadable = { readonly effect: number; readonly step: number; readonly comparison: Comparison };

/** An unreadable call may be what an unanswered step asks for. If there are more such calls than steps, the rest are not. */
function findUnreadable(
  free: readonly number[],
  pairs: readonly Compared[],
  world: World,
): readonly Unreadable[] {
  const paired = new Set(pairs.map(({ index }) => index.step));
  const steps = asking(world).filter((index) => !paired.has(index));
  const opaque = free.filter((index) => world.reading.effects[index]?.act === "opaque");
  return opaque.slice(0, steps.length).flatMap((effect, at) => {
    const step = steps[at] ?? -1;
    const [asked, done] = [world.intent.steps[step], world.reading.effects[effect]];
    if (asked === undefined || done === undefined) return [];
    const comparison = cannotTell({
      slot: "action",
      asked: asked.verb.word,
      does: describeEffect(done, world),
      words: asked.verb.span,
      where: done.where,
      confidence: 1,
      fix: "Call a contract and a function that we can read.",
    });
    return [{ effect, step, comparison }];
  });
}

const rest = (count: number, taken: ReadonlySet<number>): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => !taken.has(index));

/**
 * Steps that need an effect of their own. A bare "approve first" is answered by the approvals that the other steps
 * imply.
 */
const asking = ({ intent }: World): number[] =>
  intent.steps.flatMap((step, index) => (intent.steps.length > 1 && isBareApproval(step) ? [] : [index]));

const pairSteps = (world: World): readonly Compared[] => assign(asking(world), material(world), world, true);

/** Effects that a step can ask for: all except harmless ones. */
const material = ({ reading }: World): number[] =>
  reading.effects.flatMap((effect, index) =>
    effect.act === "harmless" || effect.act === "opaque" ? [] : [index],
  );

/** An approval may serve a step through another approval (Permit2), so implied effects are collected until none is added. */
function impliedBy(asked: readonly Compared[], world: World): ReadonlyMap<number, Implied> {
  const { effects } = world.reading;
  const found = new Map<number, Implied>();
  const taken = new Set(asked.map(({ index }) => index.effect));
  for (let grown = true; grown;) {
    grown = false;
    for (const index of rest(effects.length, taken)) {
      const effect = effects[index];
      // An allowance serves later effects; what is left of it at the end serves no effect.
      const serves = (at: number): boolean => effect?.act !== "approve" || at > index;
      const licensed = [...taken].filter(serves).flatMap((at) => effects[at] ?? []);
      const granted = [...found.keys()].flatMap((at) => effects[at] ?? []);
      const rule = effect === undefined ? null : implied(effect, licensed, world, granted);
      if (rule === null) continue;
      found.set(index, rule);
      taken.add(index);
      grown = true;
    }
  }
  return found;
}

/** A step and an effect that are both left over usually belong together: report how they differ. */
function pairTheRest(
  asked: readonly Compared[],
  brought: ReadonlyMap<number, unknown>,
  world: World,
): readonly Compared[] {
  const paired = new Set(asked.map(({ index }) => index.step));
  const steps = asking(world).filter((index) => !paired.has(index));
  const taken = new Set([...asked.map(({ index }) => index.effect), ...brought.keys()]);
  return assign(
    steps,
    material(world).filter((index) => !taken.has(index)),
    world,
    false,
  );
}

const isRefused = ({ comparisons }: Compared): boolean =>
  comparisons.some(({ slot, outcome }) => slot === "action" && outcome !== "same");

function describe(index: number, world: World): Entailment["unlicensed"] {
  const effect = world.reading.effects[index];
  return effect === undefined
    ? []
    : [{ effect: index, what: describeEffect(effect, world), where: placeOf(effect) }];
}

const placeOf = (effect: Effect) => effect.places["receiver"] ?? effect.authority?.where ?? effect.where;

/** A signature is valid on the chain of its domain, whatever chain the request names. */
function domainChain(world: World): readonly Comparison[] {
  const id = world.proposal.typedData?.domain["chainId"];
  const text = typeof id === "number" || typeof id === "bigint" || typeof id === "string" ? String(id) : "";
  if (!/^(0x[0-9a-fA-F]{1,12}|\d{1,15})$/.test(text)) return [];
  const where = { call: "proposed_tx.order", field: "domain.chainId" };
  return compareChain({ value: Number(text), span: null }, where, world).filter(
    ({ outcome }) => outcome === "differs",
  );
}

function nothingDone(pairs: readonly Compared[], world: World): readonly Comparison[] {
  const [step] = world.intent.steps;
  if (pairs.length > 0 || step === undefined || world.reading.effects.some(({ act }) => act !== "harmless"))
    return [];
  return [
    differs({
      slot: "action",
      asked: step.verb.word,
      does: "nothing",
      words: step.verb.span,
      where: null,
      confidence: 1,
      fix: "Propose a transaction that does what you asked for.",
    }),
  ];
}

/** "1.000 USDC" is one or a thousand: whichever the transaction contains, the other reading would be rejected. */
function ambiguousNumbers(steps: readonly Step[]): Entailment["ambiguous"] {
  const quantities = steps.flatMap((step) =>
    [...step.gives, ...step.gets].flatMap(({ quantity }) => (quantity === null ? [] : [quantity])),
  );
  return quantities
    .filter(
      (quantity): quantity is Quantity & { kind: "exact" } =>
        quantity.kind === "exact" && quantity.others.length > 0,
    )
    .map((quantity) => ({
      said: "a number with two readings",
      readings: [quantity.n, ...quantity.others].map(showDecimal),
      span: quantity.span,
    }));
}
