/** What every bridge says in the same words: an asset leaves here, and must arrive at somebody on another chain. */
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

/** A chain's id, where it is written as one. */
export const chainOf = (id: bigint): number => {
  if (id > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error("no such chain");
  return Number(id);
};

/** A bridge without a minimum of its own is one to one, or the same token is minted over there. */
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

/** The coin stays the coin; a token has another address on the other side, which the bytes do not tell. */
const overThere = (asset: Asset): Asset =>
  asset.kind === "native" ? native : unsaid("the same token on the other chain");

/** The token of the same symbol on another chain, where there is just one. */
export const counterpart = (call: CallView, asset: Address, from: number, to: number): Asset => {
  const here = call.registry.token(from, asset);
  const there = here === null ? [] : call.registry.named(to, here.symbol);
  const [only] = there;
  return only !== undefined && there.length === 1
    ? token(only.address)
    : unsaid("the same token on the other chain");
};

/** The most a message usually costs, in base units of the chain's coin: some fifty dollars. */
const usualFees: Readonly<Record<number, bigint>> = {
  56: 10n ** 17n,
  100: 50n * 10n ** 18n,
  137: 100n * 10n ** 18n,
  43114: 2n * 10n ** 18n,
};
const USUAL_FEE = 2n * 10n ** 16n;

/** An account that gets back what a message does not cost, and the argument that names it. */
export type Refund = { readonly to: Address; readonly at: string };

/**
 * The coin beyond what is bridged, which pays for the message. Messages can be made to cost anything (a high gas limit is paid
 * in advance), so that an unusual fee must be stated, and only the owner may get back what is left of it.
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

/** What the relayer keeps: the difference between the two amounts, once they are in the same decimals. */
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

/** What people say of a bridge. */
export const bridgeVerbs: Readonly<Record<string, readonly Draft["act"][]>> = {
  transfer: ["bridge"],
  supply: ["bridge"],
  withdraw: ["bridge"],
  swap: ["bridge"],
};
