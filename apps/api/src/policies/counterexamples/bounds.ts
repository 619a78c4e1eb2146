// Describes what a search covered: the values of each fact, and the facts that were not varied.
import { amountShown, dollarText, instantShown } from "./describe.ts";
import type { Domains } from "./domains.ts";
import type { Mentions } from "./mentions.ts";
import { facts, type Fact, type World } from "./world.ts";

export type Bounds = {
  readonly facts: readonly {
    readonly fact: string;
    readonly count: number;
    readonly values: readonly string[];
  }[];
  /** All combinations of these values, also those that were excluded without trying each. */
  readonly combinations: string;
  /** Choices that were evaluated. */
  readonly tried: number;
  readonly notVaried: readonly string[];
};

const names: Readonly<Record<Fact, string>> = {
  act: "action",
  recipient: "recipient",
  known: "recipient.known",
  chain: "chain",
  asset: "asset",
  amount: "amount",
  count: "day.count",
  effects: "effects",
  usd: "usd",
  at: "clock",
  signed: "request.signed",
  byEffect: "byEffect",
  agent: "agent",
};

const shownAtMost = 20;

const shown = (timeZone: string): { readonly [F in Fact]: (value: World[F]) => string } => ({
  act: (act) => act,
  recipient: (id) => id ?? "the account itself",
  known: String,
  chain: String,
  asset: (id) => id ?? "none",
  amount: amountShown,
  count: String,
  effects: String,
  usd: dollarText,
  at: (instant) => instantShown(instant, timeZone),
  signed: String,
  byEffect: String,
  agent: (id) => id,
});

/** Situations that no search varies. */
const fixed = [
  "effects of different kinds in one transaction",
  "transactions of different kinds in one day",
  "signatures instead of transactions",
];

export function boundsOf(
  domains: Domains,
  mentions: Mentions,
  { tried, timeZone }: { readonly tried: number; readonly timeZone: string },
): Bounds {
  const texts = shown(timeZone);
  const valuesOf = (fact: Fact): readonly string[] =>
    domains[fact].map((value) => (texts[fact] as (one: unknown) => string)(value));
  const varied = facts.filter((fact) => domains[fact].length > 1 || mentions.facts.has(fact));
  return {
    facts: varied.map((fact) => ({
      ...{ fact: names[fact], count: domains[fact].length },
      values: valuesOf(fact).slice(0, shownAtMost),
    })),
    combinations: String(varied.reduce((product, fact) => product * BigInt(domains[fact].length), 1n)),
    tried,
    notVaried: [...facts.filter((fact) => !varied.includes(fact)).map((fact) => names[fact]), ...fixed],
  };
}
