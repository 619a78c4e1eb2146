/** The parts that all bridges share: an asset leaves here and must arrive at a receiver on another chain. */
import {
  exactly,
  MAX_UINT,
  native,
  token,
  unsaid,
  type Amount,
  type Asset,
  type Party,
} from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice, DraftFlow } from "../../protocol.ts";
import { lossBps, rescale } from "./amounts.ts";

type Crossing = {
  readonly gives: DraftFlow;
  readonly toChain: number;
  readonly receiver: Party;
  readonly receiverAt?: string;
  readonly gets?: DraftFlow;
  readonly fees?: Draft["fees"];
  readonly deadline?: bigint;
  readonly terms?: Draft["terms"];
  readonly choices?: readonly DraftChoice[];
};

/** A chain id in the arguments. */
export const chainOf = (id: bigint): number => {
  if (id > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error("unknown chain");
  return Number(id);
};

/** A bridge without a minimum of its own is one to one, or mints the same token on the other chain. */
export const cross = (crossing: Crossing): Draft => ({
  act: "bridge",
  gives: [crossing.gives],
  gets: [crossing.gets ?? { ...crossing.gives, asset: overThere(crossing.gives.asset) }],
  receiver: crossing.receiver,
  toChain: crossing.toChain,
  ...(crossing.fees === undefined ? {} : { fees: crossing.fees }),
  ...(crossing.deadline === undefined ? {} : { deadline: crossing.deadline }),
  ...(crossing.terms === undefined ? {} : { terms: crossing.terms }),
  ...(crossing.choices === undefined ? {} : { choices: crossing.choices }),
  places: {
    amount: crossing.gives.at,
    ...(crossing.receiverAt === undefined ? {} : { receiver: crossing.receiverAt }),
    ...(crossing.gets === undefined ? {} : { minimum: crossing.gets.at }),
  },
});

/** The native token stays native; a token has another address on the other chain, which the calldata does not contain. */
const overThere = (asset: Asset): Asset =>
  asset.kind === "native" ? native : unsaid("the same token on the other chain");

/** The token of the same symbol on another chain, if there is exactly one. */
export const counterpart = (call: CallView, asset: Address, from: number, to: number): Asset => {
  const here = call.registry.token(from, asset);
  const there = here === null ? [] : call.registry.named(to, here.symbol);
  const [only] = there;
  return only !== undefined && there.length === 1
    ? token(only.address)
    : unsaid("the same token on the other chain");
};

/** The usual maximum cost of a message, in base units of the native token: some fifty dollars. */
const usualFees: Readonly<Record<number, bigint>> = {
  56: 10n ** 17n,
  100: 50n * 10n ** 18n,
  137: 100n * 10n ** 18n,
  43114: 2n * 10n ** 18n,
};
const USUAL_FEE = 2n * 10n ** 16n;

/** An account that gets the unused part of the message fee, and the argument that names it. */
export type Refund = { readonly to: Address; readonly at: string };

/**
 * The native value beyond what is bridged pays for the message. A message can be made to cost anything (a high gas
 * limit is paid in advance), so an unusual fee must be stated, and only the owner may get the rest back.
 */
export const messageFee = (
  call: CallView,
  bridged: bigint,
  refunds: readonly Refund[] = [],
): { readonly fees: NonNullable<Draft["fees"]>; readonly choices: readonly DraftChoice[] } => {
  const rest = call.value > bridged ? call.value - bridged : 0n;
  const isUsual = rest <= (usualFees[call.chain] ?? USUAL_FEE);
  return {
    fees: rest === 0n ? [] : [{ to: "venue", asset: native, share: exactly(rest), at: "value" }],
    choices: [
      ...refunds.map(({ to, at }) => refundTo(to, at, call)),
      ...(isUsual ? [] : [{ what: "message_fee" as const, value: rest, at: "value" }]),
    ],
  };
};

/** Only the owner may get the remainder back. */
export const refundTo = (to: Address, at: string, call: CallView): DraftChoice => ({
  what: "refund_receiver",
  value: to,
  at,
  known: call.isSelf(to),
});

type Quote = { readonly asset: Asset; readonly amount: bigint; readonly chain: number };

/** The relayer keeps the difference between the two amounts, in the same decimals. */
export const relayerFee = (
  call: CallView,
  input: Quote,
  output: Quote,
  at: string,
): NonNullable<Draft["fees"]> => {
  const decimals = ({ asset, chain }: Quote): number | null =>
    asset.kind === "token"
      ? (call.registry.token(chain, asset.address)?.decimals ?? null)
      : asset.kind === "native"
        ? 18
        : null;
  const [from, to] = [decimals(input), decimals(output)];
  const arrives = from === null || to === null ? output.amount : rescale(output.amount, to, from);
  const bps = lossBps(input.amount, arrives);
  return bps === 0n ? [] : [{ to: "venue", asset: input.asset, share: { bps }, at }];
};

export const least = (amount: bigint): Amount => ({ least: amount, most: MAX_UINT });

/** The verbs that people use for a bridge. */
export const bridgeVerbs: Readonly<Record<string, readonly Draft["act"][]>> = {
  transfer: ["bridge"],
  supply: ["bridge"],
  withdraw: ["bridge"],
  swap: ["bridge"],
};
