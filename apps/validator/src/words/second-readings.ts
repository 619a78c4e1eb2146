/**
 * Alternative readings of the same text, each under stricter rules than the grammar's and each complete alone:
 * payments, one trade, one piece at a time. The transaction decides which is meant, and must satisfy it entirely.
 */
import type { Intent, Negation, Step } from "../intent.ts";
import { takeAccounts } from "./accounts.ts";
import { takeArrivals } from "./arrivals.ts";
import { attach, tokensOf } from "./attach.ts";
import { takeContracts, takeNouns } from "./contracts.ts";
import { byDestination, takeBridges, takeBurns, takeOrigins } from "./crossings.ts";
import type { Draft } from "./drafts.ts";
import { takeFields } from "./fields.ts";
import { hardKind, type Item } from "./items.ts";
import { takeJottings } from "./jottings.ts";
import { takeLabels, type Labels } from "./labels.ts";
import type { Lexicon } from "./lexicon.ts";
import { takeNotes } from "./notes.ts";
import { byPiece } from "./pieces.ts";
import { plainPayments } from "./plain.ts";
import { plainTrade } from "./plain-trade.ts";
import { takeRefusals } from "./refusals.ts";
import { takeTallies } from "./tallies.ts";
import { takeTerms } from "./terms.ts";
import { withheld } from "./withhold.ts";

export type World = { readonly lexicon: Lexicon; readonly language: string; readonly labels: Labels };

type Others = NonNullable<Intent["others"]>;

/** The parts around the request, settled for every reading alike. */
export const takeWritten = (items: Item[]): void => {
  takeNouns(items);
  takeJottings(items);
  takeBurns(items);
  takeOrigins(items);
  takeBridges(items);
  takeTallies(items);
  takeFields(items);
  takeContracts(items);
  takeAccounts(items);
  takeArrivals(items);
};

export const toStep = ({ buys: _, ...step }: Draft): Step => step;

/** The same steps with one piece each, or with the chain they name as the destination of a bridge. */
export const readApart = (
  text: string,
  { items, steps }: { readonly items: readonly Item[]; readonly steps: readonly Draft[] },
): Others => {
  const tokens = tokensOf(items, hardKind, text);
  return [byPiece(steps), byDestination(steps, items)].flatMap((others) =>
    others === null ? [] : [{ steps: others.map(toStep), tokens }],
  );
};

/** Other honest readings, by rules of their own. A text that refuses or waits has none. */
export const readOtherwise = (text: string, items: Item[], world: World): Others => {
  takeLabels(items, world.labels, text);
  if (withheld(items).length > 0) return [];
  takeWritten(items);
  takeNotes(items, false);
  const chainId = (phrase: string): number | null => world.lexicon.chainNamed(phrase)?.id ?? null;
  const traded = items.map((item) => ({ ...item }));
  const paid = plainPayments(items, chainId);
  return [
    ...(paid === null ? [] : [{ steps: paid.map(toStep), tokens: tokensOf(items, hardKind, text) }]),
    ...readTrade(text, traded, chainId),
  ];
};

/** Refusals that may accompany a trade; the refusal itself is compared with the transaction by the first reading. */
const ASIDE = new Set<Negation["kind"]>(["partial_fill", "unlimited_approval", "fee", "other"]);

const readTrade = (text: string, items: Item[], chainId: (phrase: string) => number | null): Others => {
  if (items.some((item) => item.k === "cond" && !item.skip)) return [];
  const refused = takeRefusals(items, text);
  if (refused.negations.some(({ kind }) => !ASIDE.has(kind))) return [];
  const terms = [...refused.terms, ...takeTerms(items)];
  if (terms.some(({ condition }) => condition !== undefined)) return [];
  const steps = plainTrade(items, chainId);
  if (steps === null) return [];
  for (const term of terms) attach(steps, term);
  return [{ steps: steps.map(toStep), tokens: tokensOf(items, hardKind, text) }];
};
