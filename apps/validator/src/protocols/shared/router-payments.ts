/**
 * The functions of routers and position managers around a swap: multicalls, payouts of what they hold, permits on the
 * way.
 */
import {
  atLeast,
  everything,
  exactly,
  native,
  token,
  unknownAmount,
  type Amount,
  type Asset,
  type Party,
} from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type InnerCall, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert, openedAsCalls } from "../../uses.ts";
import { flow, forwardAll, lower, partyAt } from "./swap-draft.ts";

/** The router calls itself for each part: the caller stays the same, and the native value is available to every part. */
const program = (data: readonly Hex[], call: CallView): readonly InnerCall[] =>
  data.map((part, i) => ({
    to: call.to,
    value: call.value,
    data: part,
    sender: call.sender,
    program: true,
    at: `data[${i}]`,
  }));

export const multicallFunction = (on: readonly string[]): ProtocolFunction =>
  fn("function multicall(bytes[] data) payable", on, { data: openedAsCalls }, ([data], call) => ({
    calls: program(data, call),
  }));

/** Later routers limit the whole program to a time or to a block. */
export const boundMulticalls = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function multicall(uint256 deadline, bytes[] data) payable",
    on,
    { deadline: feeds.deadline, data: openedAsCalls },
    ([deadline, data], call) => ({
      effects: [{ act: "harmless", deadline, places: { deadline: "deadline" } }],
      calls: program(data, call),
    }),
  ),
  fn(
    "function multicall(bytes32 previousBlockhash, bytes[] data) payable",
    on,
    { previousBlockhash: inert.restricts, data: openedAsCalls },
    ([, data], call) => ({ calls: program(data, call) }),
  ),
];

const wrappedCoin = (call: CallView): Asset => {
  const wrapped = call.registry.chain(call.chain)?.wrapped;
  return wrapped ? token(wrapped) : { kind: "unsaid", why: "the unknown wrapped native token of this chain" };
};

type Out = {
  readonly least: bigint;
  readonly recipient: string | null;
  readonly fee?: { readonly bps: bigint; readonly to: string };
};

const receiverOf = (out: Out, call: CallView) =>
  out.recipient === null ? call.sender : partyAt(out.recipient, call);

const feesOf = (out: Out, asset: Asset, call: CallView): Pick<Draft, "fees"> =>
  out.fee === undefined
    ? {}
    : { fees: [{ to: partyAt(out.fee.to, call), asset, share: { bps: out.fee.bps }, at: "feeBips" }] };

/** Unwraps all of the wrapped native token that the router holds, and pays it out. */
export const unwrapAll = (
  out: Out,
  call: CallView,
  at: { readonly amount: string; readonly receiver: string },
): Draft => ({
  act: "unwrap",
  payer: "venue",
  gives: [flow(wrappedCoin(call), { ...unknownAmount, least: out.least, everything: true }, at.amount)],
  gets: [flow(native, atLeast(out.least), at.amount)],
  receiver: receiverOf(out, call),
  ...feesOf(out, native, call),
  places: { receiver: at.receiver, minimum: at.amount },
});

/** Wraps native value that the router holds. The router or another account holds the result. */
export const wrapHeld = (amount: Amount, receiver: Party, call: CallView, at: string): Draft => ({
  act: "wrap",
  payer: "venue",
  gives: [flow(native, amount, at)],
  gets: [flow(wrappedCoin(call), amount, at)],
  receiver,
  places: { amount: at },
});

const sweep = (address: string, out: Out, call: CallView): Draft => {
  const asset = token(lower(address));
  return {
    ...forwardAll(asset, out.least, receiverOf(out, call), {
      amount: "amountMinimum",
      receiver: "recipient",
    }),
    ...feesOf(out, asset, call),
  };
};

const here = { amount: "amountMinimum", receiver: "recipient" };

const isMore = "it is more than the steps before guarantee";
const minimumUse = { amountMinimum: feedsWhen("minimum", isMore) };
const isHeld = "the router holds some of it";
const sweepUses = { token: feedsWhen("asset", isHeld), ...minimumUse };
const feeUses = { feeBips: feeds.fee, feeRecipient: feedsWhen("fee", "the share is not zero") };
const toUse = { recipient: feeds.receiver };

export const paymentFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
    on,
    { ...minimumUse, ...toUse },
    ([least, recipient], call) => unwrapAll({ least, recipient }, call, here),
  ),
  fn(
    "function unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable",
    on,
    { ...minimumUse, ...toUse, ...feeUses },
    ([least, recipient, bps, to], call) => unwrapAll({ least, recipient, fee: { bps, to } }, call, here),
  ),
  fn(
    "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
    on,
    { ...sweepUses, ...toUse },
    ([at, least, recipient], call) => sweep(at, { least, recipient }, call),
  ),
  fn(
    "function sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable",
    on,
    { ...sweepUses, ...toUse, ...feeUses },
    ([at, least, recipient, bps, to], call) => sweep(at, { least, recipient, fee: { bps, to } }, call),
  ),
  fn("function refundETH() payable", on, {}, (_args, call) =>
    forwardAll(native, 0n, call.sender, { amount: "value", receiver: "value" }),
  ),
];

const wrapUses = { value: feedsWhen("amount", "it is at most the native token sent: more fails") };

/** The second router's additions. */
export const extendedPayments = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn("function unwrapWETH9(uint256 amountMinimum) payable", on, minimumUse, ([least], call) =>
    unwrapAll({ least, recipient: null }, call, here),
  ),
  fn(
    "function unwrapWETH9WithFee(uint256 amountMinimum, uint256 feeBips, address feeRecipient) payable",
    on,
    { ...minimumUse, ...feeUses },
    ([least, bps, to], call) => unwrapAll({ least, recipient: null, fee: { bps, to } }, call, here),
  ),
  fn(
    "function sweepToken(address token, uint256 amountMinimum) payable",
    on,
    sweepUses,
    ([at, least], call) => sweep(at, { least, recipient: null }, call),
  ),
  fn(
    "function sweepTokenWithFee(address token, uint256 amountMinimum, uint256 feeBips, address feeRecipient) payable",
    on,
    { ...sweepUses, ...feeUses },
    ([at, least, bps, to], call) => sweep(at, { least, recipient: null, fee: { bps, to } }, call),
  ),
  fn("function wrapETH(uint256 value) payable", on, wrapUses, ([value], call) =>
    wrapHeld(exactly(value), "venue", call, "value"),
  ),
  fn(
    "function pull(address token, uint256 value) payable",
    on,
    { token: feeds.asset, value: feeds.amount },
    ([at, value]) => ({
      act: "transfer",
      gives: [flow(token(lower(at)), exactly(value), "value")],
      receiver: "venue",
      places: { amount: "value" },
    }),
  ),
];

/** A permit that the router submits to the token for its caller. */
const permitDraft = (address: string, { amount, until, deadline }: Permitted, call: CallView): Draft => ({
  act: "approve",
  authority: { spender: call.to, asset: token(lower(address)), amount, until, signed: true, at: "token" },
  ...(deadline === null ? {} : { deadline }),
  places: { spender: "token" },
});

type Permitted = {
  readonly amount: Amount;
  readonly until: bigint | null;
  readonly deadline: bigint | null;
};

const signature = { v: inert.signature, r: inert.signature, s: inert.signature };

export const selfPermits = (on: readonly string[]): readonly ProtocolFunction[] => [
  ...(["selfPermit", "selfPermitIfNecessary"] as const).map((name) =>
    fn(
      `function ${name}(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable`,
      on,
      { token: feedsAll("asset", "spender"), value: feeds.amount, deadline: feeds.deadline, ...signature },
      ([at, value, deadline], call) =>
        permitDraft(at, { amount: exactly(value), until: null, deadline }, call),
    ),
  ),
  ...(["selfPermitAllowed", "selfPermitAllowedIfNecessary"] as const).map((name) =>
    fn(
      `function ${name}(address token, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) payable`,
      on,
      { token: feedsAll("asset", "spender"), nonce: inert.replay, expiry: feeds.until, ...signature },
      ([at, , expiry], call) =>
        permitDraft(at, { amount: everything, until: expiry === 0n ? null : expiry, deadline: null }, call),
    ),
  ),
];
