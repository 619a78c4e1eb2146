/** One contract that holds the approvals of every token and passes them on with limits. */
import { exactly, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { compared, feeds, feedsAll, inert } from "../uses.ts";
import { permitUses } from "./shared/permit-steps.ts";
import { permit2Messages } from "./shared/permit2-messages.ts";

type Permitted = { readonly token: Address; readonly amount: bigint };

/** The expiry on chain: zero means this block only. */
const allowed = (
  spender: Address,
  details: Permitted & { readonly expiration: number },
  at: string,
): Draft => ({
  act: details.amount === 0n ? "revoke" : "approve",
  authority: {
    spender,
    asset: token(details.token),
    amount: exactly(details.amount),
    until: BigInt(details.expiration),
    at: "spender",
  },
  places: { spender: "spender", amount: `${at}amount`, expiry: `${at}expiration` },
});

const sent = (moved: Permitted & { readonly from: Address; readonly to: Address }, at: string): Draft => ({
  act: "transfer",
  payer: moved.from,
  gives: [{ asset: token(moved.token), amount: exactly(moved.amount), at: `${at}amount` }],
  receiver: moved.to,
  places: { receiver: `${at}to`, amount: `${at}amount`, payer: `${at}from` },
});

/** Invalidates signatures by nonce. The request must name the nonce: cancelling another one leaves the order open. */
const cancelled = (value: string, at: string): Draft => ({
  act: "cancel",
  choices: [{ what: "permission", value, at, known: false }],
});

const signed = { owner: feeds.payer, signature: inert.signature };
const sentUses = { from: feeds.payer, to: feeds.receiver, amount: feeds.amount, token: feeds.asset };

const allowances = [
  fn(
    "function approve(address token, address spender, uint160 amount, uint48 expiration)",
    ["permit2"],
    {
      token: feeds.asset,
      spender: feeds.spender,
      amount: feedsAll("amount", "act"),
      expiration: feeds.until,
    },
    ([asset, spender, amount, expiration]) => allowed(spender, { token: asset, amount, expiration }, ""),
  ),
  fn(
    "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
    ["permit2"],
    { ...signed, permitSingle: permitUses },
    ([owner, { details, spender, sigDeadline }]) => ({
      ...allowed(spender, details, "permitSingle.details."),
      payer: owner,
      deadline: sigDeadline,
    }),
  ),
  fn(
    "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)",
    ["permit2"],
    { ...signed, permitBatch: permitUses },
    ([owner, { details, spender, sigDeadline }]) =>
      details.map((item, index) => ({
        ...allowed(spender, item, `permitBatch.details[${index}].`),
        payer: owner,
        deadline: sigDeadline,
      })),
  ),
  fn(
    "function lockdown((address token, address spender)[] approvals)",
    ["permit2"],
    { approvals: { token: feeds.asset, spender: feeds.spender } },
    ([approvals]) =>
      approvals.map(({ token: asset, spender }, index) => ({
        act: "revoke" as const,
        authority: { spender, asset: token(asset), amount: exactly(0n), at: `approvals[${index}].spender` },
      })),
  ),
  fn(
    "function invalidateNonces(address token, address spender, uint48 newNonce)",
    ["permit2"],
    { token: feeds.choice, spender: feeds.choice, newNonce: feeds.choice },
    ([asset, spender, nonce]) => cancelled(`nonces below ${nonce} of ${spender} for ${asset}`, "newNonce"),
  ),
  fn(
    "function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)",
    ["permit2"],
    { wordPos: feeds.choice, mask: feeds.choice },
    ([wordPos, mask]) => cancelled(`nonces ${wordPos}:0x${mask.toString(16)}`, "mask"),
  ),
];

const transfers = [
  fn(
    "function transferFrom(address from, address to, uint160 amount, address token)",
    ["permit2"],
    sentUses,
    ([from, to, amount, asset]) => sent({ from, to, amount, token: asset }, ""),
  ),
  fn(
    "function transferFrom((address from, address to, uint160 amount, address token)[] transferDetails)",
    ["permit2"],
    { transferDetails: sentUses },
    ([details]) => details.map((item, index) => sent(item, `transferDetails[${index}].`)),
  ),
  fn(
    "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
    ["permit2"],
    {
      permit: {
        permitted: { token: feeds.asset, amount: compared("at_least", "transferDetails.requestedAmount") },
        nonce: inert.replay,
        deadline: feeds.deadline,
      },
      transferDetails: { to: feeds.receiver, requestedAmount: feeds.amount },
      ...signed,
    },
    ([permit, { to, requestedAmount }, owner]) => {
      if (permit.permitted.amount < requestedAmount)
        throw new Error("more is requested than the permit allows");
      return {
        act: "transfer",
        payer: owner,
        gives: [
          {
            asset: token(permit.permitted.token),
            amount: exactly(requestedAmount),
            at: "transferDetails.requestedAmount",
          },
        ],
        receiver: to,
        deadline: permit.deadline,
        places: { receiver: "transferDetails.to", payer: "owner" },
      };
    },
  ),
];

export default defineProtocol({
  title: "Permit2",
  names: ["permit2", "permit 2"],
  contracts: {
    permit2: {
      0: "0x000000000022d473030f116ddee9f6b43ac78ba3",
      324: "0x0000000000225e31d15943971f47ad3022f714fa",
    },
  },
  functions: [...allowances, ...transfers],
  typedData: permit2Messages,
});
