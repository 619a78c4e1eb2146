// The values that a search tries for each fact: those that the rules mention, their neighbours, and representatives of the rest.
import { acts } from "../schema.ts";
import { instantsOf } from "./instants.ts";
import type { Mentions } from "./mentions.ts";
import type { Value } from "./values.ts";
import { chainOf, mostMicro, type Amount, type Ground, type World } from "./world.ts";

export type Domains = { readonly [F in keyof World]: readonly World[F][] };

const numbersAt = ({ literals }: Mentions, paths: readonly string[]): readonly bigint[] =>
  paths
    .flatMap((path) => literals.get(path) ?? [])
    .flatMap((value) =>
      typeof value === "bigint"
        ? [value]
        : typeof value === "object" && (value.kind === "decimal" || value.kind === "datetime")
          ? [value.n]
          : [],
    );

const ascending = (numbers: Iterable<bigint>): readonly bigint[] =>
  [...new Set(numbers)].sort((one, other) => (one < other ? -1 : Number(one > other)));

/** Each number, one value of each gap between them, and one on each side. */
function around(
  numbers: readonly bigint[],
  { least, most }: { least: bigint; most: bigint },
): readonly bigint[] {
  const sorted = ascending(numbers);
  const values = [...sorted.slice(0, 1).map((n) => n - 1n), ...sorted.flatMap((n) => [n, n + 1n])];
  return ascending(values.filter((n) => n >= least && n <= most));
}

/** Prefers the ordinary value, then smaller ones. */
const preferring = <T>(ordinary: T, others: readonly T[]): readonly T[] => [
  ...new Set([ordinary, ...others]),
];

const idsOf = ({ entities }: Mentions, type: string): readonly string[] => [
  ...new Set(entities.filter((one) => one.type === `Countersign::${type}`).map(({ id }) => id)),
];

const isParty = (id: string): boolean => /^eip155:[1-9]\d{0,15}:0x[0-9a-f]{40}$/.test(id);
const isAsset = (id: string): boolean => /^eip155:[1-9]\d{0,15}\/(?:native|erc20:0x[0-9a-f]{40})$/.test(id);

const texts = ({ literals }: Mentions, path: string): readonly string[] =>
  (literals.get(path) ?? []).filter((value: Value) => typeof value === "string");

/** The assets that a pattern can mean. */
const assetsLike = (pattern: string, chain: number): readonly string[] =>
  [
    String(chain),
    `${chain}/native`,
    `${chain}/erc20:${unnamedToken}`,
    `erc20:${unnamedToken}`,
    unnamedToken,
    "",
  ]
    .map((part) => pattern.replaceAll("*", part))
    .filter(isAsset);

const unnamedToken = `0x${"22".repeat(20)}`;
const unnamedRecipient = `0x${"11".repeat(20)}`;

type Places = Pick<Domains, "chain" | "recipient" | "asset">;

function placesOf(mentions: Mentions): Places {
  const parties = idsOf(mentions, "Recipient").filter(isParty);
  const assets = texts(mentions, "asset").filter(isAsset);
  const numbers = around(numbersAt(mentions, ["chain"]), { least: 1n, most: 2n ** 40n }).map(Number);
  const named = [...parties, ...assets, ...mentions.patterns].map(chainOf).filter(Number.isSafeInteger);
  const chains = preferring(1, [...numbers, ...named]);
  const recipients = [...chains.map((chain) => `eip155:${chain}:${unnamedRecipient}`), ...parties];
  const natives = chains.map((chain) => `eip155:${chain}/native`);
  const tokens = chains.map((chain) => `eip155:${chain}/erc20:${unnamedToken}`);
  const matching = chains.flatMap((chain) => mentions.patterns.flatMap((one) => assetsLike(one, chain)));
  const isAbout = (fact: keyof World): boolean => mentions.facts.has(fact);
  return {
    chain: chains,
    recipient: isAbout("recipient") ? [...recipients, null] : recipients,
    asset: [
      ...natives,
      ...(isAbout("asset") ? [...new Set([...tokens, ...assets, ...matching])] : []),
      ...(isAbout("asset") || isAbout("amount") ? [null] : []),
    ],
  };
}

const oneToken = 1_000_000n;
const counted = (micro: bigint): Amount => ({ micro, isUnbounded: false });

function amountsOf(mentions: Mentions): readonly (Amount | null)[] {
  // Every asset has an amount or none, so the choice between both is always there where a rule asks about assets.
  if (!mentions.facts.has("amount"))
    return [counted(oneToken), ...(mentions.facts.has("asset") ? [null] : [])];
  const sums = numbersAt(mentions, ["amount.micro", "day.micro", "day.microToNew"]);
  const numbers = around(sums, { least: 0n, most: mostMicro - 1n });
  return [...preferring(oneToken, numbers).map(counted), { micro: mostMicro, isUnbounded: true }, null];
}

const mostTransactions = 1_000n;

/** Also as many equal payments as exceed a sum of a day. */
function countsOf(mentions: Mentions, amounts: readonly (Amount | null)[]): readonly number[] {
  const sums = numbersAt(mentions, ["day.micro", "day.microToNew"]);
  const needed = sums.flatMap((sum) =>
    amounts.flatMap((amount) => (amount === null || amount.micro === 0n ? [] : [sum / amount.micro + 1n])),
  );
  const numbers = around(numbersAt(mentions, ["day.count"]), { least: 1n, most: mostTransactions });
  const within = ascending([...numbers, ...needed].filter((n) => n >= 1n && n <= mostTransactions));
  return preferring(1, within.map(Number));
}

/** One act for each group of acts that no rule distinguishes. */
function actsOf(mentions: Mentions, { groupsOf }: Ground): readonly string[] {
  if (!mentions.facts.has("act")) return ["transfer"];
  const named = new Set(idsOf(mentions, "Action"));
  const classes = new Map<string, string>();
  for (const act of acts) {
    const told = [act, ...groupsOf(act)].filter((one) => named.has(one)).join();
    // A bridge can pay on another chain, so it is never one of a group.
    const key = act === "bridge" ? "bridge" : told;
    if (!classes.has(key)) classes.set(key, act);
  }
  return [...classes.values()];
}

const choices = (isVaried: boolean): readonly boolean[] => (isVaried ? [false, true] : [false]);
const oneDollar = 10_000n;

/** Returns the values to try for every fact, the preferred first. */
export function domainsOf(mentions: Mentions, ground: Ground, timeZone: string): Domains {
  const isAbout = (fact: keyof World): boolean => mentions.facts.has(fact);
  const amount = amountsOf(mentions);
  const usd = around(numbersAt(mentions, ["usd", "day.usd", "day.usdToNew"]), {
    ...{ least: 0n, most: 2n ** 62n },
  });
  const effects = around(numbersAt(mentions, ["effects"]), { least: 1n, most: 20n });
  return {
    act: actsOf(mentions, ground),
    ...placesOf(mentions),
    known: isAbout("known") ? [true, false] : [true],
    amount,
    count: countsOf(mentions, amount),
    effects: preferring(1, effects.map(Number)),
    usd: isAbout("usd") ? preferring(oneDollar, ascending([0n, ...usd])) : [0n],
    at: instantsOf({
      hours: numbersAt(mentions, ["clock.hour"]).map(Number),
      weekdays: numbersAt(mentions, ["clock.weekday"]).map(Number),
      instants: numbersAt(mentions, ["clock.at"]).map(Number),
      timeZone,
    }),
    signed: choices(isAbout("signed")),
    byEffect: choices(isAbout("byEffect")),
    agent: preferring(
      "key:test",
      idsOf(mentions, "Agent").filter((id) => id.length <= 100),
    ),
  };
}
