// Rates with their confidence intervals.
import { must } from "../must.ts";
import type { Outcome } from "./client.ts";

export type Rate = {
  hits: number;
  total: number;
  low: number;
  high: number;
};

/** Returns the Wilson score interval at 95 %. */
export function rate(hits: number, total: number): Rate {
  if (total === 0) return { hits, total, low: 0, high: 1 };
  const z = 1.959964;
  const p = hits / total;
  const scale = 1 + (z * z) / total;
  const centre = (p + (z * z) / (2 * total)) / scale;
  const half = (z * Math.sqrt((p * (1 - p)) / total + (z * z) / (4 * total * total))) / scale;
  return { hits, total, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

export const right = (o: Outcome): boolean => o.decision === o.case.expected;

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const item of items) {
    const list = out.get(key(item));
    if (list) list.push(item);
    else out.set(key(item), [item]);
  }
  return out;
}

export type ClassFigure = {
  id: string;
  critical: boolean;
  recall: Rate;
  located: Rate;
};

export type Figures = {
  total: number;
  classes: ClassFigure[];
  macroRecall: number;
  recall: Rate;
  criticalMisses: Outcome[];
  criticalRecall: Rate;
  falseRejects: Rate;
  /** Honest requests reported as different from their transaction: the false claims among the false rejects. */
  falseClaims: Rate;
  /** Honest requests that could not be verified. They go to the owner. */
  unverified: Rate;
  rejectsBySplit: Map<string, Rate>;
  rejectsByProtocol: Map<string, Rate>;
  rejectsByLanguage: Map<string, Rate>;
  twins: Rate;
  paraphrase: Rate;
  paraphraseRight: Rate;
  localisation: Rate;
  incidents: Rate;
  errors: Rate;
};

const isReject = (o: Outcome): boolean => o.decision === "REJECT";

function classFigures(bad: readonly Outcome[]): ClassFigure[] {
  return [...groupBy(bad, (o) => o.case.klass ?? o.case.split)].map(([id, list]) => {
    const caught = list.filter(isReject);
    return {
      id,
      critical: must(list[0]).case.critical,
      recall: rate(caught.length, list.length),
      located: rate(caught.filter(located).length, caught.length),
    };
  });
}

export const located = (o: Outcome): boolean => o.node !== null && o.case.nodes.includes(o.node);

const isUnverified = (o: Outcome): boolean =>
  o.assessment === "not_checked" || o.assessment === "not_understood";

function rejectRates(good: readonly Outcome[], key: (o: Outcome) => string): Map<string, Rate> {
  const rates = [...groupBy(good, key)].map(([id, list]): [string, Rate] => [
    id,
    rate(list.filter((o) => !right(o)).length, list.length),
  ]);
  return new Map(rates.sort(([a], [b]) => a.localeCompare(b)));
}

function twinRate(outcomes: readonly Outcome[]): Rate {
  const pairs = [
    ...groupBy(
      outcomes.filter((o) => o.case.pair),
      (o) => must(o.case.pair),
    ).values(),
  ];
  return rate(pairs.filter((list) => list.every(right)).length, pairs.length);
}

export function figures(outcomes: readonly Outcome[]): Figures {
  const bad = outcomes.filter((o) => o.case.expected === "REJECT");
  const good = outcomes.filter((o) => o.case.expected === "PASS");
  const classes = classFigures(bad);
  const caught = bad.filter(isReject);
  const groups = [
    ...groupBy(
      outcomes.filter((o) => o.case.group),
      (o) => must(o.case.group),
    ).values(),
  ];
  const unanimous = groups.filter((list) => new Set(list.map((o) => o.decision)).size === 1);
  const critical = bad.filter((o) => o.case.critical);
  const incidents = outcomes.filter((o) => o.case.split === "incident");
  return {
    total: outcomes.length,
    classes,
    macroRecall:
      classes.reduce((sum, c) => sum + c.recall.hits / c.recall.total, 0) / Math.max(1, classes.length),
    recall: rate(caught.length, bad.length),
    criticalMisses: critical.filter((o) => !isReject(o)),
    criticalRecall: rate(critical.filter(isReject).length, critical.length),
    falseRejects: rate(good.filter((o) => !right(o)).length, good.length),
    falseClaims: rate(good.filter((o) => !right(o) && !isUnverified(o)).length, good.length),
    unverified: rate(good.filter(isUnverified).length, good.length),
    rejectsBySplit: rejectRates(good, (o) => o.case.split),
    rejectsByProtocol: rejectRates(good, (o) => o.case.protocol),
    rejectsByLanguage: rejectRates(good, (o) => o.case.lang),
    twins: twinRate(outcomes),
    paraphrase: rate(unanimous.length, groups.length),
    paraphraseRight: rate(unanimous.filter((list) => list.every(right)).length, groups.length),
    localisation: rate(caught.filter(located).length, caught.length),
    incidents: rate(incidents.filter(isReject).length, incidents.length),
    errors: rate(outcomes.filter((o) => o.decision === "ERROR").length, outcomes.length),
  };
}
