/** Seaport's functions that fulfil, validate and cancel orders. */
import { hashStruct } from "viem/utils";
import type { Party } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import {
  describeFunction,
  fn,
  type CallView,
  type Draft,
  type DraftChoice,
  type ProtocolFunction,
} from "../../protocol.ts";
import { feeds } from "../../uses.ts";
import { basicOrder, fromBasic } from "./seaport-basic.ts";
import { isNft, type Asked, type Item, type Order } from "./seaport-items.ts";
import { fulfilledOrder, signedOrder } from "./seaport-orders.ts";
import {
  advancedUses,
  availableUses,
  basicUses,
  plainUses,
  resolverUses,
  validatedUses,
} from "./seaport-uses.ts";
import { receiverOrCaller, ZERO_ADDRESS } from "./swap-draft.ts";

const items =
  "(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount)[] offer, (uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient)[] consideration";
const parameters =
  `(address offerer, address zone, ${items}, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 totalOriginalConsiderationItems) parameters` as const;
const components =
  `(address offerer, address zone, ${items}, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 counter)` as const;
const resolvers =
  "(uint256 orderIndex, uint8 side, uint256 index, uint256 identifier, bytes32[] criteriaProof)[] criteriaResolvers";
const fulfilments =
  "(uint256 orderIndex, uint256 itemIndex)[][] offerFulfillments, (uint256 orderIndex, uint256 itemIndex)[][] considerationFulfillments";

type Plain = { readonly parameters: Given };
type Advanced = Plain & { readonly numerator: bigint; readonly denominator: bigint };
type Component = { readonly orderIndex: bigint; readonly itemIndex: bigint };
type Fulfilments = readonly (readonly Component[])[];

type Given = Omit<Order, "offer" | "consideration" | "part"> & {
  readonly offer: readonly Omit<Item, "at">[];
  readonly consideration: readonly Omit<Asked, "at">[];
};

const placed = (given: Given, at: string, part: Order["part"] = [1n, 1n]): Order => ({
  offerer: given.offerer,
  offer: given.offer.map((item, index) => ({ ...item, at: `${at}.offer[${index}]` })),
  consideration: given.consideration.map((item, index) => ({ ...item, at: `${at}.consideration[${index}]` })),
  orderType: given.orderType,
  endTime: given.endTime,
  part,
});

const advanced = ({ parameters: given, numerator, denominator }: Advanced, at: string): Order =>
  placed(given, at, [numerator, denominator]);

type Resolver = {
  readonly orderIndex: bigint;
  readonly side: number;
  readonly index: bigint;
  readonly identifier: bigint;
};

/** Resolvers name one token of a set. Throws if a resolver does not belong to an item that asks for one. */
const resolved = (orders: readonly Order[], given: readonly Resolver[]): readonly Order[] => {
  const used = new Set<Resolver>();
  const pick = <I extends Item>(item: I, place: Omit<Resolver, "identifier">): I => {
    const found = given.find(
      ({ orderIndex, side, index }) =>
        orderIndex === place.orderIndex && side === place.side && index === place.index,
    );
    if (found === undefined || !isNft(item) || item.itemType < 4) return item;
    used.add(found);
    return { ...item, itemType: item.itemType - 2, identifierOrCriteria: found.identifier };
  };
  const picked = orders.map((order, number) => {
    const at = { orderIndex: BigInt(number) };
    return {
      ...order,
      offer: order.offer.map((item, i) => pick(item, { ...at, side: 0, index: BigInt(i) })),
      consideration: order.consideration.map((item, i) => pick(item, { ...at, side: 1, index: BigInt(i) })),
    };
  });
  if (used.size !== given.length) throw new Error("a token is selected for an item that does not allow it");
  return picked;
};

/** Throws unless every offered item is listed once: the caller would pay for an item that is left out. */
const checkFulfilments = (orders: readonly Order[], listed: Fulfilments): void => {
  const places = listed.flat().map(({ orderIndex, itemIndex }) => `${orderIndex}:${itemIndex}`);
  const offered = orders.flatMap(({ offer }, order) => offer.map((_, item) => `${order}:${item}`));
  if (places.length !== offered.length || offered.some((place) => !places.includes(place)))
    throw new Error("not every offered item is received once");
};

const receiverOf = (
  recipient: Address,
  call: CallView,
): { readonly recipient: Party; readonly recipientAt: string } => ({
  recipient: recipient === ZERO_ADDRESS ? call.sender : recipient,
  recipientAt: "recipient",
});

const on = ["seaport"];

const single = [
  ...(["fulfillBasicOrder", "fulfillBasicOrder_efficient_6GL6yc"] as const).map((name) =>
    fn(`function ${name}(${basicOrder}) payable`, on, { parameters: basicUses }, ([basic], call) =>
      fulfilledOrder(fromBasic(basic), { fulfiller: call.sender, recipient: call.sender }),
    ),
  ),
  // Too long for the type checker: the arguments are typed by hand.
  describeFunction(
    `function fulfillOrder((${parameters}, bytes signature) order, bytes32 fulfillerConduitKey) payable`,
    on,
    { order: plainUses, fulfillerConduitKey: availableUses.fulfillerConduitKey },
    ([order]: readonly [Plain], call: CallView) =>
      fulfilledOrder(placed(order.parameters, "order.parameters"), {
        fulfiller: call.sender,
        recipient: call.sender,
      }),
  ),
  describeFunction(
    `function fulfillAdvancedOrder((${parameters}, uint120 numerator, uint120 denominator, bytes signature, bytes extraData) advancedOrder, ${resolvers}, bytes32 fulfillerConduitKey, address recipient) payable`,
    on,
    {
      advancedOrder: advancedUses,
      criteriaResolvers: resolverUses,
      fulfillerConduitKey: availableUses.fulfillerConduitKey,
      recipient: receiverOrCaller,
    },
    (
      [order, criteria, , recipient]: readonly [Advanced, readonly Resolver[], unknown, Address],
      call: CallView,
    ) =>
      resolved([advanced(order, "advancedOrder.parameters")], criteria).map((each) =>
        fulfilledOrder(each, { fulfiller: call.sender, ...receiverOf(recipient, call) }),
      ),
  ),
];

/** As many orders as are still open: each is one purchase, and in the worst case all are made. */
const several = [
  describeFunction(
    `function fulfillAvailableOrders((${parameters}, bytes signature)[] orders, ${fulfilments}, bytes32 fulfillerConduitKey, uint256 maximumFulfilled) payable`,
    on,
    { orders: plainUses, ...availableUses },
    ([given, offered]: readonly [readonly Plain[], Fulfilments], call: CallView) => {
      const orders = given.map((order, index) => placed(order.parameters, `orders[${index}].parameters`));
      checkFulfilments(orders, offered);
      return orders.map((order) => fulfilledOrder(order, { fulfiller: call.sender, recipient: call.sender }));
    },
  ),
  describeFunction(
    `function fulfillAvailableAdvancedOrders((${parameters}, uint120 numerator, uint120 denominator, bytes signature, bytes extraData)[] advancedOrders, ${resolvers}, ${fulfilments}, bytes32 fulfillerConduitKey, address recipient, uint256 maximumFulfilled) payable`,
    on,
    {
      advancedOrders: advancedUses,
      criteriaResolvers: resolverUses,
      ...availableUses,
      recipient: receiverOrCaller,
    },
    (
      [given, criteria, offered, , , recipient]: readonly [
        readonly Advanced[],
        readonly Resolver[],
        Fulfilments,
        unknown,
        unknown,
        Address,
      ],
      call: CallView,
    ) => {
      const orders = given.map((order, index) => advanced(order, `advancedOrders[${index}].parameters`));
      checkFulfilments(orders, offered);
      return resolved(orders, criteria).map((order) =>
        fulfilledOrder(order, { fulfiller: call.sender, ...receiverOf(recipient, call) }),
      );
    },
  ),
];

const itemType = [
  { name: "itemType", type: "uint8" },
  { name: "token", type: "address" },
  { name: "identifierOrCriteria", type: "uint256" },
  { name: "startAmount", type: "uint256" },
  { name: "endAmount", type: "uint256" },
];
const types = {
  OfferItem: itemType,
  ConsiderationItem: [...itemType, { name: "recipient", type: "address" }],
  OrderComponents: [
    { name: "offerer", type: "address" },
    { name: "zone", type: "address" },
    { name: "offer", type: "OfferItem[]" },
    { name: "consideration", type: "ConsiderationItem[]" },
    { name: "orderType", type: "uint8" },
    { name: "startTime", type: "uint256" },
    { name: "endTime", type: "uint256" },
    { name: "zoneHash", type: "bytes32" },
    { name: "salt", type: "uint256" },
    { name: "conduitKey", type: "bytes32" },
    { name: "counter", type: "uint256" },
  ],
};

/** An order is cancelled by its hash, which marketplaces show. */
const cancelled = (order: Record<string, unknown>, index: number): DraftChoice => ({
  what: "order",
  value: hashStruct({ data: order, primaryType: "OrderComponents", types }),
  at: `orders[${index}]`,
});

const others = [
  // An order that is written to the chain is as valid as a signed one.
  describeFunction(
    `function validate((${parameters}, bytes signature)[] orders)`,
    on,
    { orders: validatedUses },
    ([orders]: readonly [readonly Plain[]]) =>
      orders.map((order, index) =>
        signedOrder(placed(order.parameters, `orders[${index}].parameters`), null),
      ),
  ),
  describeFunction(
    `function cancel(${components}[] orders)`,
    on,
    { orders: feeds.choice },
    ([orders]: readonly [readonly Record<string, unknown>[]]): readonly Draft[] =>
      orders.map((order, index) => ({ act: "cancel", choices: [cancelled(order, index)] })),
  ),
  fn("function incrementCounter()", on, {}, () => ({ act: "cancel" })),
];

export const seaportCalls: readonly ProtocolFunction[] = [...single, ...several, ...others];
