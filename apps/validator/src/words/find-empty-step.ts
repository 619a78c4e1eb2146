/**
 * Finds an act that a text asks for after another one and that has no value of its own: "Retire la part de Julie.", "Send 5 USDC
 * to 0x…. Save it as a note." Such a verb is mostly none: it says something about the request. One that says an act again is
 * allowed: "Please make the payment.", "…: revoke its approval now".
 */
import type { Span, Step } from "../intent.ts";
import { isOne, kinds, type Item } from "./items.ts";

export function findEmptyStep(steps: readonly Step[], items: readonly Item[]): Span | null {
  const ordered = steps.toSorted((a, b) => a.verb.span[0] - b.verb.span[0]);
  const isStray = (step: Step, at: number): boolean => {
    const again = ordered.slice(0, at).filter(({ acts }) => acts[0] === step.acts[0]);
    const isAccess = again.length > 0 && (step.acts[0] === "approve" || step.acts[0] === "revoke");
    const isEmpty = hasNoValue(step)
      ? !isAccess
      : isApart(step, ordered[at - 1], items) &&
        takesAll(step) &&
        (again.length === 0 || namesAnother(step, again));
    return at > 0 && step.verb.word !== "" && isEmpty;
  };
  return ordered.find(isStray)?.verb.span ?? null;
}

/** "Send 5 USDC to 0x…. Forward it to Lisa": a name is not compared. */
const namesAnother = (step: Step, again: readonly Step[]): boolean =>
  step.to.some(({ kind }) => kind !== "address") && again.some(({ to }) => to.length > 0);

const hasNoValue = (step: Step): boolean =>
  [step.gives, step.gets, step.to, step.venues].every(({ length }) => length === 0) &&
  [step.from, step.spender, step.onBehalfOf, step.chain, step.toChain].every((value) => value === null) &&
  [step.deadline, step.admin].every((value) => value === null);

const ENDS = kinds("stop,line");

/** In another sentence than the step before, or in brackets. "Then" continues it. */
function isApart({ verb }: Step, before: Step | undefined, items: readonly Item[]): boolean {
  const from = before?.verb.span[1] ?? 0;
  const between = items.filter(({ start, end }) => start >= from && end <= verb.span[0]);
  const ends = between.some((item) => isOne(item, ENDS) || (item.k === "punct" && /^[(,]$/.test(item.v)));
  return ends && !between.some(({ k }) => k === "then");
}

/** Each value is one of another step, which a pronoun stands for or nothing. */
function takesAll({ span, ...step }: Step): boolean {
  const isHere = (value: { readonly span: Span } | null): boolean =>
    value !== null && span[0] <= value.span[0] && value.span[1] <= span[1];
  const amounts = [...step.gives, ...step.gets].flatMap(({ asset, quantity }) => [asset, quantity]);
  const parties = [...step.venues, step.from, step.spender, step.onBehalfOf];
  const named = step.to.filter(({ kind }) => kind === "address");
  const terms = [step.chain, step.toChain, step.deadline, step.admin];
  return ![...amounts, ...parties, ...named, ...terms].some(isHere);
}
