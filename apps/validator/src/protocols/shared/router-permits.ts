/** Permits that a router submits before it takes a token. The length of the bytes decides which form they have. */
import { blob, packed } from "../../bytes/openings.ts";
import { everything, exactly, token, type Amount, type Party } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { compared, feeds, feedsAll, inert } from "../../uses.ts";
import { lower } from "./swap-draft.ts";

const signatureParts = { v: inert.signature, r: inert.signature, s: inert.signature };

const tokenPermit = blob(
  "address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s",
  {
    owner: feeds.payer,
    spender: feeds.spender,
    value: feeds.amount,
    deadline: feeds.deadline,
    ...signatureParts,
  },
);
const daiPermit = blob(
  "address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s",
  {
    holder: feeds.payer,
    spender: feeds.spender,
    nonce: inert.replay,
    expiry: feeds.deadline,
    allowed: feedsAll("act", "amount"),
    ...signatureParts,
  },
);
const permit2 = blob(
  "address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature",
  {
    owner: feeds.payer,
    permitSingle: {
      details: {
        token: compared("equal", "the token it is for"),
        amount: feeds.amount,
        expiration: feeds.until,
        nonce: inert.replay,
      },
      spender: feeds.spender,
      sigDeadline: feeds.deadline,
    },
    signature: inert.signature,
  },
);

const shortSignature = [
  { name: "r", bytes: 32, use: inert.signature },
  { name: "vs", bytes: 32, use: inert.signature },
];
const compactTokenPermit = packed("uint256 value, uint32 deadline, bytes32 r, bytes32 vs", {
  head: [
    { name: "value", bytes: 32, use: feeds.amount },
    { name: "deadline", bytes: 4, use: feeds.deadline },
    ...shortSignature,
  ],
});
const compactDaiPermit = packed("uint32 nonce, uint32 expiry, bytes32 r, bytes32 vs", {
  head: [
    { name: "nonce", bytes: 4, use: inert.replay },
    { name: "expiry", bytes: 4, use: feeds.deadline },
    ...shortSignature,
  ],
});
const compactPermit2 = packed(
  "uint160 amount, uint32 expiration, uint32 nonce, uint32 sigDeadline, bytes32 r, bytes32 vs",
  {
    head: [
      { name: "amount", bytes: 20, use: feeds.amount },
      { name: "expiration", bytes: 4, use: feeds.until },
      { name: "nonce", bytes: 4, use: inert.replay },
      { name: "sigDeadline", bytes: 4, use: feeds.deadline },
      ...shortSignature,
    ],
  },
);

export const permitForms = [
  tokenPermit,
  daiPermit,
  permit2,
  compactTokenPermit,
  compactDaiPermit,
  compactPermit2,
] as const;

type Given = {
  readonly owner: Party;
  readonly spender: Party;
  readonly token: Address;
  readonly amount: Amount;
  readonly until?: bigint | null;
  readonly deadline: bigint | null;
  /** The arguments of the spender and the amount. */
  readonly at: { readonly spender: string; readonly amount: string };
};

const permitted = ({ owner, spender, token: asset, amount, until = null, deadline, at }: Given): Draft => ({
  act: amount.most === 0n ? "revoke" : "approve",
  payer: owner,
  authority: { spender, asset: token(asset), amount, until, signed: true, at: at.spender },
  deadline,
  places: { spender: at.spender, amount: at.amount },
});

const numberIn = (hex: Hex | undefined): bigint => BigInt(hex ?? "0x0");

/** Short forms write a date plus one, so zero means never. */
const shortDate = (hex: Hex | undefined): bigint | null => {
  const date = numberIn(hex);
  return date === 0n ? null : date - 1n;
};

type About = { readonly token: Address; readonly at: string };

/** By the number of bytes. Short forms leave out the owner, who is the caller, and the spender, which is the router. */
const readers: Readonly<Record<number, (data: Hex, about: About, call: CallView) => Draft>> = {
  224: (data, { token: asset, at }, call) => {
    const [owner, spender, value, deadline] = call.open(tokenPermit, data, at);
    const places = { spender: `${at}.spender`, amount: `${at}.value` };
    return permitted({ owner, spender, token: asset, amount: exactly(value), deadline, at: places });
  },
  256: (data, { token: asset, at }, call) => {
    const [owner, spender, , deadline, allowed] = call.open(daiPermit, data, at);
    const amount = allowed ? everything : exactly(0n);
    const places = { spender: `${at}.spender`, amount: `${at}.allowed` };
    return permitted({ owner, spender, token: asset, amount, deadline, at: places });
  },
  352: (data, { token: asset, at }, call) => {
    const [owner, { details, spender, sigDeadline }] = call.open(permit2, data, at);
    if (lower(details.token) !== asset) throw new Error("the permit is for another token");
    return permitted({
      owner,
      spender,
      token: asset,
      amount: exactly(details.amount),
      until: BigInt(details.expiration),
      deadline: sigDeadline,
      at: { spender: `${at}.permitSingle.spender`, amount: `${at}.permitSingle.details.amount` },
    });
  },
  100: (data, { token: asset, at }, call) => {
    const { head } = call.open(compactTokenPermit, data, at);
    return permitted({
      owner: call.sender,
      spender: call.to,
      token: asset,
      amount: exactly(numberIn(head["value"])),
      deadline: shortDate(head["deadline"]),
      at: { spender: at, amount: `${at}.value` },
    });
  },
  72: (data, { token: asset, at }, call) => {
    const { head } = call.open(compactDaiPermit, data, at);
    return permitted({
      owner: call.sender,
      spender: call.to,
      token: asset,
      amount: everything,
      deadline: shortDate(head["expiry"]),
      at: { spender: at, amount: at },
    });
  },
  96: (data, { token: asset, at }, call) => {
    const { head } = call.open(compactPermit2, data, at);
    return permitted({
      owner: call.sender,
      spender: call.to,
      token: asset,
      amount: exactly(numberIn(head["amount"])),
      until: shortDate(head["expiration"]),
      deadline: shortDate(head["sigDeadline"]),
      at: { spender: at, amount: `${at}.amount` },
    });
  },
};

/** The approval that these bytes make, if there are any. Throws on bytes of an unknown form. */
export const readPermit = (data: Hex, about: About, call: CallView): readonly Draft[] => {
  if (data === "0x") return [];
  const read = readers[(data.length - 2) / 2];
  if (read === undefined) throw new Error("the form of the permit is not known");
  return [read(data, about, call)];
};
