/** Effects that change who controls a contract or an account. */
import { everything, type Party } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice } from "../../protocol.ts";

type More = Omit<NonNullable<Draft["admin"]>, "kind" | "party">;

/**
 * The contract whose control changes: the called one, unless the arguments name another. It must be the owner's own
 * or be stated.
 */
export const controlled = (contract: string, at = "to"): DraftChoice => ({
  what: "contract",
  value: contract,
  at,
});

/** Bytes that a contract runs or stores. Empty bytes are not a choice. */
export const code = (data: Hex, at: string): readonly DraftChoice[] =>
  data === "0x" ? [] : [{ what: "code", value: data, at }];

/** Only control is given or taken away. */
export const administer = (call: CallView, kind: string, party: Party | null, at: string | null): Draft => ({
  act: "admin",
  admin: { kind, party },
  choices: [controlled(call.to)],
  places: at === null ? {} : { party: at },
});

/** Another party may act for the account from now on. */
export const empower = (call: CallView, kind: string, party: Party, at: string): Draft => ({
  ...administer(call, kind, party, at),
  authority: { spender: party, asset: null, amount: everything, at },
});

/** The same change with its details: a threshold, the owner that is replaced. */
export const detailed = (draft: Draft, more: More): Draft =>
  draft.admin === undefined || draft.admin === null
    ? draft
    : { ...draft, admin: { ...draft.admin, ...more } };

/** The same with more choices of the caller. */
export const picking = (draft: Draft, ...choices: readonly DraftChoice[]): Draft => ({
  ...draft,
  choices: [...(draft.choices ?? []), ...choices],
});
