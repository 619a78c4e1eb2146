/** Orders of Seaport, from either side: the signer gives what is offered, and the fulfiller gives what is requested. */
import { native, nft, token, type Amount, type Asset } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { DraftFlow } from "../../protocol.ts";

export type Item = {
  readonly itemType: number;
  readonly token: Address;
  readonly identifierOrCriteria: bigint;
  readonly startAmount: bigint;
  readonly endAmount: bigint;
  /** The path of the item: `order.parameters.offer[0]`. */
  readonly at: string;
};
export type Asked = Item & { readonly recipient: Address };

export type Order = {
  readonly offerer: Address;
  readonly offer: readonly Item[];
  readonly consideration: readonly Asked[];
  readonly orderType: number;
  readonly endTime: bigint;
  /** The part of the whole order. */
  readonly part: readonly [numerator: bigint, denominator: bigint];
};

const isCriteria = (itemType: number): boolean => itemType === 4 || itemType === 5;

export const isNft = ({ itemType }: Item): boolean => itemType >= 2;

/** A criteria item is any token of a set, or of the whole collection, chosen by the other side. */
export const assetOf = (item: Item): Asset => {
  if (item.itemType < 2 && item.identifierOrCriteria !== 0n)
    throw new Error("an item that is not an NFT has an id");
  if (item.itemType === 0 && BigInt(item.token) !== 0n)
    throw new Error("an item of native token has a token address");
  if (item.itemType === 0) return native;
  if (item.itemType === 1) return token(item.token);
  if (item.itemType > 5) throw new Error("the kind of item is not known");
  return nft(item.token, isCriteria(item.itemType) ? null : item.identifierOrCriteria);
};

/** Amounts may change linearly between two values while the order is open. */
export const amountOf = ({ startAmount, endAmount }: Item, [part, whole]: Order["part"]): Amount => {
  if (part === 0n || part > whole) throw new Error("not a part of the order");
  const scaled = (amount: bigint): bigint => {
    if ((amount * part) % whole !== 0n) throw new Error("the order cannot be divided like that");
    return (amount * part) / whole;
  };
  const [low, high] = startAmount < endAmount ? [startAmount, endAmount] : [endAmount, startAmount];
  return { least: scaled(low), most: scaled(high) };
};

export const flowOf = (item: Item, part: Order["part"]): DraftFlow => ({
  asset: assetOf(item),
  amount: amountOf(item, part),
  at: `${item.at}.endAmount`,
});

const keyOf = (asset: Asset): string =>
  asset.kind === "token" || asset.kind === "nft"
    ? `${asset.address}:${asset.kind === "nft" ? String(asset.id) : ""}`
    : asset.kind;

/** Each asset once, with the amounts added up. */
export const together = (flows: readonly DraftFlow[]): readonly DraftFlow[] => {
  const byAsset = new Map<string, DraftFlow>();
  for (const flow of flows) {
    const before = byAsset.get(keyOf(flow.asset));
    const amount =
      before === undefined
        ? flow.amount
        : { least: before.amount.least + flow.amount.least, most: before.amount.most + flow.amount.most };
    byAsset.set(keyOf(flow.asset), { ...(before ?? flow), amount });
  }
  return [...byAsset.values()];
};

/** The worst case of what remains of an amount after others were paid from it. */
export const lessFees = (flow: DraftFlow, fees: readonly DraftFlow[]): DraftFlow => {
  const paid = fees
    .filter(({ asset }) => keyOf(asset) === keyOf(flow.asset))
    .reduce((total, { amount }) => total + amount.most, 0n);
  const floor = (amount: bigint): bigint => (amount > paid ? amount - paid : 0n);
  return { ...flow, amount: { least: floor(flow.amount.least), most: floor(flow.amount.most) } };
};
