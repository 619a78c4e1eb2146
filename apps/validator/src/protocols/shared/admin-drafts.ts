/** Acts that change who controls something. */
import { everything, type Party } from "../../effects.ts";
import type { Draft } from "../../protocol.ts";

/** Nothing but control changes hands, or is taken away. */
export const administer = (kind: string, party: Party | null, at: string | null): Draft => ({
  act: "admin",
  admin: { kind, party },
  places: at === null ? {} : { party: at },
});

/** Somebody new may from now on act for the account itself. */
export const empower = (kind: string, party: Party, at: string): Draft => ({
  ...administer(kind, party, at),
  authority: { spender: party, asset: null, amount: everything, at },
});
