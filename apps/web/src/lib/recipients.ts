// Sentences about the recipients of a transaction. They say only what the account's own transactions prove.
import type { LookAlike, Recipient } from "@countersign/sdk";
import { counted } from "./format.ts";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** `3 Nov 2026`. */
const dayOf = (at: string): string => day.format(new Date(at));

const times = (count: number): string => (count === 1 ? "once" : counted(count, "time"));

const words = {
  paid: {
    did: "You paid this address",
    was: "Paid",
    first: "First payment to this address.",
    none: "No earlier payment to this address that we know of.",
  },
  access: {
    did: "You gave this address access",
    was: "Got access",
    first: "First time that this address gets access.",
    none: "No earlier access for this address that we know of.",
  },
  called: {
    did: "You called this contract",
    was: "Called",
    first: "First call to this contract.",
    none: "No earlier call to this contract that we know of.",
  },
} as const;

type History = Pick<Recipient, "role" | "executed" | "byOwner" | "signatures" | "lastAt">;

function paidLine({ role, executed, byOwner, lastAt }: History, uncounted: number): string {
  const { did, was, first, none } = words[role];
  if (executed === 0 || lastAt === null) return uncounted === 0 ? first : none;
  const on = executed === 1 ? `, on ${dayOf(lastAt)}` : `, last on ${dayOf(lastAt)}`;
  if (byOwner === executed) return `${did} ${times(executed)}${on}.`;
  const without = byOwner === 0 ? (executed === 1 ? "" : "all ") : `${counted(executed - byOwner, "time")} `;
  return `${was} ${times(executed)}${on}, ${without}without asking you.`;
}

/** Returns how often the account had to do with the address before. `uncounted`: transactions that may have paid anyone. */
export function historyLine(history: History, uncounted: number): string {
  const { signatures } = history;
  if (signatures === 0) return paidLine(history, uncounted);
  return `${paidLine(history, uncounted)} ${counted(signatures, "signature")} for it may have been used too.`;
}

/** Returns how a look-alike is known, as the end of "It looks like …". */
export function knownAs({ name, own, executed }: LookAlike): string {
  if (own) return "your own wallet";
  const paid = executed === 0 ? "" : `used ${times(executed)} before`;
  if (name === null) return `an address ${paid === "" ? "that you know" : paid}`;
  return paid === "" ? `“${name}” in your address book` : `“${name}” in your address book, ${paid}`;
}
