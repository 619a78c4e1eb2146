import type { Span } from "../../intent.ts";

/** Why a proposal is not used, with the part of the text in question. */
export type Refused = { readonly refused: string; readonly span: Span | null };

type Place = { readonly start: number; readonly end: number };

export const refuse = (refused: string, place: Place | null): Refused => ({
  refused,
  span: place === null ? null : [place.start, place.end],
});
