/** Steps of a router's plan that go through Permit2: signed allowances, and transfers that use them. */
import { blob } from "../../bytes/openings.ts";
import { exactly, token } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import type { CallView, Draft, Read } from "../../protocol.ts";
import { feeds, feedsAll, inert, type Opening } from "../../uses.ts";
import { flow, lower, partyAt } from "./swap-draft.ts";
import { SENDER_MARK, VENUE_MARK } from "./v3-router.ts";

/** One router command: the openings of its input, and its effects. */
export type Step = {
  readonly opens: readonly Opening[];
  readonly read: (input: Hex, call: CallView, at: string) => Read | Draft | readonly Draft[];
};

export const step = <V>(
  opening: Opening<V>,
  read: (values: V, call: CallView, at: string) => Read | Draft | readonly Draft[],
): Step => ({
  opens: [opening],
  read: (input, call, at) => read(call.open(opening, input, at), call, at),
});

const DETAILS = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

export type PermitDetails = { readonly token: string; readonly amount: bigint; readonly expiration: number };

/** Uses of a signed Permit2 allowance. */
export const permitUses = {
  details: {
    token: feeds.asset,
    amount: feedsAll("amount", "act"),
    expiration: feeds.until,
    nonce: inert.replay,
  },
  spender: feeds.spender,
  sigDeadline: feeds.deadline,
};

export const permitDraft = (
  details: PermitDetails,
  spender: string,
  deadline: bigint,
  at: string,
): Draft => ({
  act: details.amount === 0n ? "revoke" : "approve",
  authority: {
    spender: lower(spender),
    asset: token(lower(details.token)),
    amount: exactly(details.amount),
    until: BigInt(details.expiration),
    signed: true,
    at,
  },
  deadline,
  places: { spender: at, expiry: at, amount: at },
});

const permitOne = step(
  blob(`(${DETAILS} details, address spender, uint256 sigDeadline) permit, bytes signature` as const, {
    permit: permitUses,
    signature: inert.signature,
  }),
  ([{ details, spender, sigDeadline }], _call, at) =>
    permitDraft(details, spender, sigDeadline, `${at}.permit`),
);

const permitMany = step(
  blob(`(${DETAILS}[] details, address spender, uint256 sigDeadline) permit, bytes signature` as const, {
    permit: permitUses,
    signature: inert.signature,
  }),
  ([{ details, spender, sigDeadline }], _call, at) =>
    details.map((each, i) => permitDraft(each, spender, sigDeadline, `${at}.permit.details[${i}]`)),
);

type Fetched = {
  readonly from: string | null;
  readonly to: string;
  readonly amount: bigint;
  readonly token: string;
};

const fetchDraft = (fetched: Fetched, call: CallView, at: string): Draft => ({
  act: "transfer",
  payer: fetched.from === null ? call.sender : lower(fetched.from),
  gives: [flow(token(lower(fetched.token)), exactly(fetched.amount), `${at}.amount`)],
  receiver: partyAt(fetched.to, call, { sender: SENDER_MARK, venue: VENUE_MARK }),
  places: { receiver: `${at}.recipient`, amount: `${at}.amount` },
});

const fetchOne = step(
  blob("address token, address recipient, uint160 amount", {
    token: feeds.asset,
    recipient: feeds.receiver,
    amount: feeds.amount,
  }),
  ([asset, to, amount], call, at) => fetchDraft({ from: null, to, amount, token: asset }, call, at),
);

const fetchMany = step(
  blob("(address from, address to, uint160 amount, address token)[] details", {
    details: { from: feeds.payer, to: feeds.receiver, amount: feeds.amount, token: feeds.asset },
  }),
  ([details], call, at) =>
    details.map((each, i) => ({
      ...fetchDraft(each, call, `${at}.details[${i}]`),
      // Permit2 gets these addresses unchanged: there is no marker for the router or its caller.
      receiver: partyAt(each.to, call),
    })),
);

export const permitSteps: Readonly<Record<number, Step>> = {
  0x02: fetchOne,
  0x03: permitMany,
  0x0a: permitOne,
  0x0d: fetchMany,
};
