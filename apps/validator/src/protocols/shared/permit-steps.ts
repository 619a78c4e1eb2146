/** Steps of a router's plan that go through Permit2: signed allowances, and what is fetched with them. */
import { decodeBlob } from "../../bytes/decode.ts";
import { exactly, token } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import type { CallView, Draft, Read } from "../../protocol.ts";
import { flow, lower, partyAt } from "./swap-draft.ts";
import { SENDER_MARK, VENUE_MARK } from "./v3-router.ts";

/** One command of a plan, read. */
export type Step = (input: Hex, call: CallView, at: string) => Read | Draft | readonly Draft[];

const DETAILS = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

export type PermitDetails = { readonly token: string; readonly amount: bigint; readonly expiration: number };
type PermitSingle = {
  readonly details: PermitDetails;
  readonly spender: string;
  readonly sigDeadline: bigint;
};
type PermitBatch = {
  readonly details: readonly PermitDetails[];
  readonly spender: string;
  readonly sigDeadline: bigint;
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

const permitOne: Step = (input, _call, at) => {
  const form = `(${DETAILS} details, address spender, uint256 sigDeadline) permit, bytes signature`;
  const [{ details, spender, sigDeadline }] = decodeBlob(form, input) as readonly [PermitSingle, string];
  return permitDraft(details, spender, sigDeadline, `${at}.permit`);
};

const permitMany: Step = (input, _call, at) => {
  const form = `(${DETAILS}[] details, address spender, uint256 sigDeadline) permit, bytes signature`;
  const [{ details, spender, sigDeadline }] = decodeBlob(form, input) as readonly [PermitBatch, string];
  return details.map((each, i) => permitDraft(each, spender, sigDeadline, `${at}.permit.details[${i}]`));
};

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

const fetchOne: Step = (input, call, at) => {
  const form = "address token, address recipient, uint160 amount";
  const [asset, to, amount] = decodeBlob(form, input) as readonly [string, string, bigint];
  return fetchDraft({ from: null, to, amount, token: asset }, call, at);
};

const fetchMany: Step = (input, call, at) => {
  const form = "(address from, address to, uint160 amount, address token)[] details";
  const [details] = decodeBlob(form, input) as readonly [readonly Fetched[]];
  return details.map((each, i) => ({
    ...fetchDraft(each, call, `${at}.details[${i}]`),
    // Here Permit2 is handed the addresses as they stand: no word for the router or its caller.
    receiver: partyAt(each.to, call),
  }));
};

export const permitSteps: Readonly<Record<number, Step>> = {
  0x02: fetchOne,
  0x03: permitMany,
  0x0a: permitOne,
  0x0d: fetchMany,
};
