/** The parts that all exchanges share: one asset leaves, another must arrive. */
import {
  native,
  token,
  unknownAmount,
  amountFault,
  nativeFault,
  routeFault,
  type Amount,
  type Asset,
  type Party,
  type Terms,
  type Fault,
} from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice, DraftFlow } from "../../protocol.ts";
import { feedsWhen } from "../../uses.ts";

export const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000";
/** The address that aggregators use for the native token. */
const COIN_MARK: Address = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

export const lower = (address: string): Address => address.toLowerCase() as Address;

/** A token, or the native token if the protocol writes it as zero or as 0xeeee…. */
export const assetAt = (address: string): Asset => {
  const at = lower(address);
  return at === ZERO_ADDRESS || at === COIN_MARK ? native : token(at);
};

/** Both markers mean the same asset, so replacing one by the other changes nothing. */
export const assetOrCoin = feedsWhen("asset", "it is not the other of the two markers for the native token");
/** For routers that pay the caller if no receiver is named. */
export const receiverOrCaller = feedsWhen("receiver", "it is not zero, which means the caller");

/** An address packed into the low 160 bits of a word. */
export const addressIn = (word: bigint): Address =>
  `0x${(word & ((1n << 160n) - 1n)).toString(16).padStart(40, "0")}`;

/** Addresses with a special meaning: a router's marker for its caller, and for itself. */
export type Marks = { readonly sender?: Address; readonly venue?: Address };

export const partyAt = (address: string, call: CallView, marks: Marks = {}): Party => {
  const at = lower(address);
  if (at === marks.sender) return call.sender;
  return at === marks.venue || at === call.to ? "venue" : at;
};

export type Swap = {
  readonly gives: DraftFlow;
  readonly gets: DraftFlow;
  readonly receiver: Party;
  readonly receiverAt?: string;
  readonly payer?: Party;
  /** Unix seconds, and the argument that holds it. */
  readonly deadline?: { readonly until: bigint; readonly at: string };
  readonly terms?: Terms;
  readonly fees?: Draft["fees"];
  readonly choices?: Draft["choices"];
};

const sameKind = (a: Asset, b: Asset): boolean =>
  a.kind === "native"
    ? b.kind === "native"
    : a.kind === "token" && b.kind === "token" && a.address === b.address;

/** Returns the faults that the parameters of any exchange can have. */
export const swapFaults = (gives: DraftFlow, gets: DraftFlow): readonly Fault[] => [
  ...(sameKind(gives.asset, gets.asset)
    ? [routeFault("the asset given and the asset received are the same")]
    : []),
  ...(gives.amount.most === 0n ? [amountFault("nothing is given")] : []),
];

const withFaults = ({ faults: known = [], ...terms }: Terms, found: readonly Fault[]): Terms => {
  const faults = [...known, ...found];
  return faults.length === 0 ? terms : { ...terms, faults };
};

export const swapDraft = (swap: Swap): Draft => ({
  act: "swap",
  gives: [swap.gives],
  gets: [swap.gets],
  receiver: swap.receiver,
  ...(swap.payer === undefined ? {} : { payer: swap.payer }),
  ...(swap.deadline === undefined ? {} : { deadline: swap.deadline.until }),
  ...(swap.fees === undefined ? {} : { fees: swap.fees }),
  ...(swap.choices === undefined ? {} : { choices: swap.choices }),
  terms: withFaults(swap.terms ?? {}, swapFaults(swap.gives, swap.gets)),
  places: {
    amount: swap.gives.at,
    minimum: swap.gets.at,
    ...(swap.receiverAt === undefined ? {} : { receiver: swap.receiverAt }),
    ...(swap.deadline === undefined ? {} : { deadline: swap.deadline.at }),
  },
});

/** Less may be swapped than was asked for, at no worse a price. The request must allow it. */
export const partialFill = (isAllowed: boolean, at: string): readonly DraftChoice[] =>
  isAllowed ? [{ what: "setting", value: "partial fill", at }] : [];

/** Routers like 1inch's accept more native value than is swapped only if a flag says so, and then require it. */
export const coinFaults = (isExtraAnnounced: boolean, gives: DraftFlow, call: CallView): readonly Fault[] =>
  call.value > (gives.asset.kind === "native" ? gives.amount.most : 0n) === isExtraAnnounced
    ? []
    : [nativeFault("the native token sent does not match the flags")];

export const flow = (asset: Asset, amount: Amount, at: string): DraftFlow => ({ asset, amount, at });

/** The venue passes on its whole balance of an asset, at least `least` of it, or the whole call fails. */
export const forwardAll = (asset: Asset, least: bigint, receiver: Party, at: Places): Draft => ({
  act: "forward",
  payer: "venue",
  gives: [flow(asset, { ...unknownAmount, least, everything: true }, at.amount)],
  receiver,
  places: { receiver: at.receiver, minimum: at.amount },
});

export type Places = { readonly amount: string; readonly receiver: string };

/** One deployment on many chains. */
export const onChains = (address: Address, chains: readonly number[]): Readonly<Record<number, Address>> =>
  Object.fromEntries(chains.map((chain) => [chain, address]));
