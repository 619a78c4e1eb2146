/** The effects of an order on its signer, and on its fulfiller. */
import { amountFault, type EffectAct, type Party } from "../../effects.ts";
import type { Draft, DraftFlow } from "../../protocol.ts";
import { flowOf, isNft, lessFees, together, type Asked, type Item, type Order } from "./seaport-items.ts";

const actOf = (given: readonly Item[], got: readonly Item[]): EffectAct => {
  const [gives, gets] = [given.some(isNft), got.some(isNft)];
  if (gives && !gets) return "sell_nft";
  return gets && !gives ? "buy_nft" : "swap";
};

const feesOf = (items: readonly Asked[], part: Order["part"]): NonNullable<Draft["fees"]> =>
  items.map((item) => {
    const { asset, amount } = flowOf(item, part);
    return { to: item.recipient, asset, share: amount, at: `${item.at}.recipient` };
  });

const isPartial = ({ orderType }: Order): boolean => orderType === 1 || orderType === 3;

/**
 * Signed: the offer leaves, and of the consideration only the part for the offerer arrives. On a bid, the account
 * that accepts it pays the others out of what it gets, so they cost the bidder nothing.
 */
export const signedOrder = (order: Order, counter: bigint | null): Draft => {
  const own = order.consideration.filter(({ recipient }) => recipient === order.offerer);
  const others = order.consideration.filter(({ recipient }) => recipient !== order.offerer);
  const act = actOf(order.offer, order.consideration);
  const gets = together(own.map((item) => flowOf(item, order.part)));
  const wanted = act === "buy_nft" ? others.filter(isNft) : [];
  return {
    act,
    payer: order.offerer,
    gives: together(order.offer.map((item) => flowOf(item, order.part))),
    gets: gets.length > 0 ? gets : together(wanted.map((item) => flowOf(item, order.part))),
    receiver: gets.length > 0 ? order.offerer : (wanted[0]?.recipient ?? order.offerer),
    fees: act === "buy_nft" ? [] : feesOf(others, order.part),
    deadline: order.endTime,
    terms: {
      order: true,
      partial: isPartial(order),
      kind: act === "buy_nft" ? "buy" : "sell",
      ...(counter === null ? {} : { nonce: counter }),
      ...(gets.length === 0 ? { faults: [amountFault("the offerer receives nothing in return")] } : {}),
    },
    places: {
      payer: "message.offerer",
      ...(own[0] === undefined
        ? {}
        : { receiver: `${own[0].at}.recipient`, minimum: `${own[0].at}.endAmount` }),
    },
  };
};

type Fulfilment = { readonly fulfiller: Party; readonly recipient: Party; readonly recipientAt?: string };

/** Fulfilled: the consideration leaves, and the offer arrives. A seller pays the others out of what they get. */
export const fulfilledOrder = (order: Order, { fulfiller, recipient, recipientAt }: Fulfilment): Draft => {
  const act = actOf(order.consideration, order.offer);
  const offered = together(order.offer.map((item) => flowOf(item, order.part)));
  const asked = (items: readonly Asked[]): readonly DraftFlow[] =>
    together(items.map((item) => flowOf(item, order.part)));
  const selling = act === "sell_nft";
  const others = order.consideration.filter((item) => !isNft(item));
  return {
    act,
    payer: fulfiller,
    gives: asked(selling ? order.consideration.filter(isNft) : order.consideration),
    gets: selling ? offered.map((flow) => lessFees(flow, asked(others))) : offered,
    receiver: recipient,
    fees: selling ? feesOf(others, order.part) : [],
    deadline: order.endTime,
    places: recipientAt === undefined ? {} : { receiver: recipientAt },
  };
};
