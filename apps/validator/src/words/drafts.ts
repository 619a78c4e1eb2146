/** A step while it is being filled. */
import type { Act, AssetRef, PartyRef, Portion, Span, Step } from "../intent.ts";
import { take } from "./amounts.ts";
import type { Event } from "./reader.ts";

export type Draft = { -readonly [K in keyof Step]: Step[K] } & {
  gives: Portion[];
  gets: Portion[];
  to: PartyRef[];
  venues: Step["venues"][number][];
  conditions: Step["conditions"][number][];
  /** The verb asks for something to arrive. Not part of the step that is handed out. */
  buys: boolean;
};

export const newDraft = (acts: readonly Act[], verb: Step["verb"], span: Span): Draft => ({
  acts,
  verb,
  gives: [],
  gets: [],
  to: [],
  from: null,
  spender: null,
  onBehalfOf: null,
  venues: [],
  chain: null,
  toChain: null,
  slippageBps: null,
  limitPrice: null,
  deadline: null,
  gas: null,
  partialFill: null,
  admin: null,
  fee: null,
  conditions: [],
  buys: false,
  span,
});

export type Filling = {
  readonly draft: Draft;
  /** The verb's object is what arrives: buy, borrow, withdraw, claim. */
  readonly getsObject: boolean;
  readonly ambiguities: { said: string; readings: string[]; span: Span }[];
};

export const slotOf = (event: Event, slot: string): void => {
  take(event.items, 0, event.items.length, slot);
};

export const spanOf = (event: Event): Span => [event.items[0]?.start ?? 0, event.items.at(-1)?.end ?? 0];

export const sameAsset = (a: AssetRef | null, b: AssetRef | null): boolean => {
  if (a === null || b === null) return false;
  if (a.kind === "symbol" && b.kind === "symbol") return a.symbol === b.symbol;
  return a.kind === "address" && b.kind === "address" && a.address === b.address;
};

/** Verbs with two sides: what goes and what comes. */
export const isTrade = (acts: readonly Act[]): boolean =>
  acts.includes("swap") || acts[0] === "wrap" || acts[0] === "unwrap";

export const isAuthority = (acts: readonly Act[]): boolean => acts[0] === "approve" || acts[0] === "revoke";
