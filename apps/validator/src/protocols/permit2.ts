/** One contract that holds every token's approval and hands it on with limits. */
import { exactly, token } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { permit2Messages } from "./shared/permit2-messages.ts";

type Permitted = { readonly token: Address; readonly amount: bigint };

/** Until when, on chain: zero stands for this block alone. */
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

const allowances = [
  fn(
    "function approve(address token, address spender, uint160 amount, uint48 expiration)",
    ["permit2"],
    ([asset, spender, amount, expiration]) => allowed(spender, { token: asset, amount, expiration }, ""),
  ),
  fn(
    "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
    ["permit2"],
    ([owner, { details, spender, sigDeadline }]) => ({
      ...allowed(spender, details, "permitSingle.details."),
      payer: owner,
      deadline: sigDeadline,
    }),
  ),
  fn(
    "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)",
    ["permit2"],
    ([owner, { details, spender, sigDeadline }]) =>
      details.map((item, index) => ({
        ...allowed(spender, item, `permitBatch.details[${index}].`),
        payer: owner,
        deadline: sigDeadline,
      })),
  ),
  fn("function lockdown((address token, address spender)[] approvals)", ["permit2"], ([approvals]) =>
    approvals.map(({ token: asset, spender }, index) => ({
      act: "revoke" as const,
      authority: { spender, asset: token(asset), amount: exactly(0n), at: `approvals[${index}].spender` },
    })),
  ),
  fn("function invalidateNonces(address token, address spender, uint48 newNonce)", ["permit2"], () => ({
    act: "cancel",
  })),
  fn("function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)", ["permit2"], () => ({
    act: "cancel",
  })),
];

const transfers = [
  fn(
    "function transferFrom(address from, address to, uint160 amount, address token)",
    ["permit2"],
    ([from, to, amount, asset]) => sent({ from, to, amount, token: asset }, ""),
  ),
  fn(
    "function transferFrom((address from, address to, uint160 amount, address token)[] transferDetails)",
    ["permit2"],
    ([details]) => details.map((item, index) => sent(item, `transferDetails[${index}].`)),
  ),
  fn(
    "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
    ["permit2"],
    ([permit, { to, requestedAmount }, owner]) => ({
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
    }),
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
