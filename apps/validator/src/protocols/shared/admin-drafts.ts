/** Acts that change who controls something. */
import { everything, type Party } from "../../effects.ts";
import type { Draft } from "../../protocol.ts";

type More = Omit<NonNullable<Draft["admin"]>, "kind" | "party">;

/** Nothing but control changes hands, or is taken away. */
export const administer = (kind: string, party: Party | null, at: string | null, more: More = {}): Draft => ({
  act: "admin",
  admin: { kind, party, ...more },
  places: at === null ? {} : { party: at },
});

/** Somebody new may from now on act for the account itself. */
export const empower = (kind: string, party: Party, at: string, more: More = {}): Draft => ({
  ...administer(kind, party, at, more),
  authority: { spender: party, asset: null, amount: everything, at },
});
