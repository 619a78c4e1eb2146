/** Seaport's functions that fulfil orders. */
import type { Party } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type ProtocolFunction } from "../../protocol.ts";
import { basicOrder, fromBasic } from "./seaport-basic.ts";
import { isNft, type Asked, type Item, type Order } from "./seaport-items.ts";
import { fulfilledOrder, signedOrder } from "./seaport-orders.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

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

/** Longer than the type checker can read: their arguments are typed by hand. */
const available = `function fulfillAvailableOrders((${parameters}, bytes signature)[] orders, ${fulfilments}, bytes32 fulfillerConduitKey, uint256 maximumFulfilled) payable`;
const validate = `function validate((${parameters}, bytes signature)[] orders)`;
const availableAdvanced = `function fulfillAvailableAdvancedOrders((${parameters}, uint120 numerator, uint120 denominator, bytes signature, bytes extraData)[] advancedOrders, ${resolvers}, ${fulfilments}, bytes32 fulfillerConduitKey, address recipient, uint256 maximumFulfilled) payable`;

type Plain = readonly [readonly { readonly parameters: Given }[]];
type Advanced = { readonly parameters: Given; readonly numerator: bigint; readonly denominator: bigint };
type AvailableAdvanced = readonly [
  readonly Advanced[],
  readonly Resolver[],
  unknown,
  unknown,
  unknown,
  Address,
  bigint,
];

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

type Resolver = {
  readonly orderIndex: bigint;
  readonly side: number;
  readonly index: bigint;
  readonly identifier: bigint;
};

/** Which token of a set is meant is said beside the orders: the item then is that token and no other. */
const resolved = (order: Order, number: number, given: readonly Resolver[]): Order => {
  const pick = <I extends Item>(item: I, side: number, index: number): I => {
    const found = given.find(
      (each) => Number(each.orderIndex) === number && each.side === side && Number(each.index) === index,
    );
    return found === undefined || !isNft(item) || item.itemType < 4
      ? item
      : { ...item, itemType: item.itemType - 2, identifierOrCriteria: found.identifier };
  };
  return {
    ...order,
    offer: order.offer.map((item, index) => pick(item, 0, index)),
    consideration: order.consideration.map((item, index) => pick(item, 1, index)),
  };
};

const receiverOf = (
  recipient: Address,
  call: CallView,
): { readonly recipient: Party; readonly recipientAt: string } => ({
  recipient: recipient === ZERO_ADDRESS ? call.sender : recipient,
  recipientAt: "recipient",
});

const single = [
  fn(`function fulfillBasicOrder(${basicOrder}) payable`, ["seaport"], ([basic], call) =>
    fulfilledOrder(fromBasic(basic), { fulfiller: call.sender, recipient: call.sender }),
  ),
  fn(`function fulfillBasicOrder_efficient_6GL6yc(${basicOrder}) payable`, ["seaport"], ([basic], call) =>
    fulfilledOrder(fromBasic(basic), { fulfiller: call.sender, recipient: call.sender }),
  ),
  fn(
    `function fulfillOrder((${parameters}, bytes signature) order, bytes32 fulfillerConduitKey) payable`,
    ["seaport"],
    ([order], call) =>
      fulfilledOrder(placed(order.parameters, "order.parameters"), {
        fulfiller: call.sender,
        recipient: call.sender,
      }),
  ),
  fn(
    `function fulfillAdvancedOrder((${parameters}, uint120 numerator, uint120 denominator, bytes signature, bytes extraData) advancedOrder, ${resolvers}, bytes32 fulfillerConduitKey, address recipient) payable`,
    ["seaport"],
    ([order, criteria, , recipient], call) =>
      fulfilledOrder(
        resolved(
          placed(order.parameters, "advancedOrder.parameters", [order.numerator, order.denominator]),
          0,
          criteria,
        ),
        { fulfiller: call.sender, ...receiverOf(recipient, call) },
      ),
  ),
];

/** As many of them as are still open: each is one purchase, and in the worst case all are made. */
const several = [
  fn<string>(available, ["seaport"], (args, call) => {
    const [orders] = args as unknown as Plain;
    return orders.map((order, index) =>
      fulfilledOrder(placed(order.parameters, `orders[${index}].parameters`), {
        fulfiller: call.sender,
        recipient: call.sender,
      }),
    );
  }),
  fn<string>(availableAdvanced, ["seaport"], (args, call) => {
    const [orders, criteria, , , , recipient] = args as unknown as AvailableAdvanced;
    return orders.map((order, index) =>
      fulfilledOrder(
        resolved(
          placed(order.parameters, `advancedOrders[${index}].parameters`, [
            order.numerator,
            order.denominator,
          ]),
          index,
          criteria,
        ),
        { fulfiller: call.sender, ...receiverOf(recipient, call) },
      ),
    );
  }),
];

const others = [
  // Written to the chain instead of signed, an order is as good as signed.
  fn<string>(validate, ["seaport"], (args) => {
    const [orders] = args as unknown as Plain;
    return orders.map((order, index) =>
      signedOrder(placed(order.parameters, `orders[${index}].parameters`), null),
    );
  }),
  fn(`function cancel(${components}[] orders)`, ["seaport"], () => ({ act: "cancel" })),
  fn("function incrementCounter()", ["seaport"], () => ({ act: "cancel" })),
];

export const seaportCalls: readonly ProtocolFunction[] = [...single, ...several, ...others];
