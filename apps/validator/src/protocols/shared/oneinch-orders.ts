/** Limit orders of 1inch: signed by a maker, filled or cancelled in transactions. Their terms are packed into one word of bits. */
import { atLeast, atMost, exactly, native, type Party, type Terms } from "../../effects.ts";
import type { TypedData } from "../../proposal.ts";
import {
  fn,
  type CallView,
  type Draft,
  type ProtocolFunction,
  type ProtocolTypedData,
} from "../../protocol.ts";
import { addressAt, integerAt } from "./signed-fields.ts";
import { addressIn, assetAt, flow, partyAt, swapDraft, ZERO_ADDRESS } from "./swap-draft.ts";

const NO_PARTIAL_FILLS = 255n;
const HAS_EXTENSION = 249n;
const UNWRAPS = 247n;
const EXPIRES_AT = 80n;
const EXPIRY_BITS = (1n << 40n) - 1n;

const has = (traits: bigint, bit: bigint): boolean => (traits & (1n << bit)) !== 0n;

/** Seconds until which it may be filled; none where the bits are zero. */
const expiry = (traits: bigint): bigint | null => {
  const until = (traits >> EXPIRES_AT) & EXPIRY_BITS;
  return until === 0n ? null : until;
};

type Order = {
  readonly salt: bigint;
  readonly maker: string;
  readonly receiver: string;
  readonly makerAsset: string;
  readonly takerAsset: string;
  readonly makingAmount: bigint;
  readonly takingAmount: bigint;
  readonly makerTraits: bigint;
};

/** An extension is code and data bound by hash in the salt: it may even change the amounts. */
const orderTerms = (order: Order): Terms => ({
  order: true,
  kind: "sell",
  partial: !has(order.makerTraits, NO_PARTIAL_FILLS),
  nonce: (order.makerTraits >> 120n) & EXPIRY_BITS,
  ...(has(order.makerTraits, HAS_EXTENSION)
    ? { hooks: `0x${order.salt.toString(16).padStart(64, "0")}` }
    : {}),
});

type Owner = { readonly payer: Party; readonly receiver: Party };

const orderDraft = (order: Order, { payer, receiver }: Owner, at: string): Draft => {
  const unwraps = has(order.makerTraits, UNWRAPS);
  const until = expiry(order.makerTraits);
  return {
    ...swapDraft({
      gives: flow(assetAt(order.makerAsset), exactly(order.makingAmount), `${at}makingAmount`),
      gets: flow(
        unwraps ? native : assetAt(order.takerAsset),
        atLeast(order.takingAmount),
        `${at}takingAmount`,
      ),
      receiver,
      receiverAt: `${at}receiver`,
      payer,
      ...(until === null ? {} : { deadline: { until, at: `${at}makerTraits` } }),
      terms: orderTerms(order),
    }),
  };
};

const readSigned = (data: TypedData, call: CallView): Draft => {
  const { message } = data;
  const order: Order = {
    salt: integerAt(message, "salt"),
    maker: addressAt(message, "maker"),
    receiver: addressAt(message, "receiver"),
    makerAsset: addressAt(message, "makerAsset"),
    takerAsset: addressAt(message, "takerAsset"),
    makingAmount: integerAt(message, "makingAmount"),
    takingAmount: integerAt(message, "takingAmount"),
    makerTraits: integerAt(message, "makerTraits"),
  };
  const maker = addressAt(message, "maker");
  const receiver = order.receiver === ZERO_ADDRESS ? maker : addressAt(message, "receiver");
  // The signature is worth something for the maker's tokens only.
  const payer = call.isSelf?.(maker) === true ? call.sender : maker;
  return orderDraft(order, { payer, receiver: receiver === maker ? payer : receiver }, "message.");
};

export const limitOrder: ProtocolTypedData = {
  primaryType: "Order",
  on: ["router_v6"],
  members: [
    "salt",
    "maker",
    "receiver",
    "makerAsset",
    "takerAsset",
    "makingAmount",
    "takingAmount",
    "makerTraits",
  ],
  read: readSigned,
};

const ORDER =
  "(uint256 salt, uint256 maker, uint256 receiver, uint256 makerAsset, uint256 takerAsset, uint256 makingAmount, uint256 takingAmount, uint256 makerTraits) order";

type Packed = { readonly [K in keyof Order]: bigint };

const unpack = (order: Packed): Order => ({
  ...order,
  maker: addressIn(order.maker),
  receiver: addressIn(order.receiver),
  makerAsset: addressIn(order.makerAsset),
  takerAsset: addressIn(order.takerAsset),
});

const BY_MAKING_AMOUNT = 255n;
const TAKER_UNWRAPS = 254n;
const NAMES_TARGET = 251n;
const THRESHOLD = (1n << 185n) - 1n;

/** What a taker gives and gets: the amount is of one side, the threshold guards the other. */
const fillAmounts = (order: Order, amount: bigint, traits: bigint) => {
  const threshold = traits & THRESHOLD;
  if (order.makingAmount === 0n || order.takingAmount === 0n) throw new Error("the order is for nothing");
  if (has(traits, BY_MAKING_AMOUNT)) {
    const priced = (amount * order.takingAmount + order.makingAmount - 1n) / order.makingAmount;
    return { gives: atMost(threshold === 0n ? priced : threshold), gets: exactly(amount) };
  }
  const isFixed = !has(order.makerTraits, HAS_EXTENSION);
  const priced = isFixed ? (amount * order.makingAmount) / order.takingAmount : 0n;
  return { gives: exactly(amount), gets: atLeast(threshold === 0n ? priced : threshold) };
};

const fill = (packed: Packed, amount: bigint, traits: bigint, call: CallView): Draft => {
  if (has(traits, NAMES_TARGET)) throw new Error("the receiver stands in bytes that are not read");
  const order = unpack(packed);
  const { gives, gets } = fillAmounts(order, amount, traits);
  const until = expiry(order.makerTraits);
  const paid = call.value > 0n ? native : assetAt(order.takerAsset);
  return swapDraft({
    gives: flow(paid, gives, "amount"),
    gets: flow(has(traits, TAKER_UNWRAPS) ? native : assetAt(order.makerAsset), gets, "takerTraits"),
    receiver: call.sender,
    ...(until === null ? {} : { deadline: { until, at: "order.makerTraits" } }),
    terms: { partial: !has(order.makerTraits, NO_PARTIAL_FILLS) },
  });
};

const here = ["router_v6"];

const fills: readonly ProtocolFunction[] = [
  fn(
    `function fillOrder(${ORDER}, bytes32 r, bytes32 vs, uint256 amount, uint256 takerTraits) payable`,
    here,
    ([order, , , amount, traits], call) => fill(order, amount, traits, call),
  ),
  fn(
    `function fillOrderArgs(${ORDER}, bytes32 r, bytes32 vs, uint256 amount, uint256 takerTraits, bytes args) payable`,
    here,
    ([order, , , amount, traits], call) => fill(order, amount, traits, call),
  ),
  fn(
    `function fillContractOrder(${ORDER}, bytes signature, uint256 amount, uint256 takerTraits)`,
    here,
    ([order, , amount, traits], call) => fill(order, amount, traits, call),
  ),
  fn(
    `function fillContractOrderArgs(${ORDER}, bytes signature, uint256 amount, uint256 takerTraits, bytes args)`,
    here,
    ([order, , amount, traits], call) => fill(order, amount, traits, call),
  ),
];

const cancels: readonly ProtocolFunction[] = [
  fn("function cancelOrder(uint256 makerTraits, bytes32 orderHash)", here, () => ({ act: "cancel" })),
  fn("function cancelOrders(uint256[] makerTraits, bytes32[] orderHashes)", here, () => ({ act: "cancel" })),
  fn("function increaseEpoch(uint96 series)", here, () => ({ act: "cancel" })),
  fn("function bitsInvalidateForOrder(uint256 makerTraits, uint256 additionalMask)", here, () => ({
    act: "cancel",
  })),
];

/** Coin is locked and an order for it is placed in the maker's name. */
const placeForCoin = fn(
  `function create(${ORDER.replace(" order", " makerOrder")}) payable` as `function create(${typeof ORDER}) payable`,
  ["native_orders"],
  ([packed], call) => {
    const order = unpack(packed);
    const receiver = order.receiver === ZERO_ADDRESS ? call.sender : partyAt(order.receiver, call);
    const draft = orderDraft(order, { payer: call.sender, receiver }, "makerOrder.");
    return { ...draft, gives: [flow(native, exactly(call.value), "value")] };
  },
);

export const orderFunctions: readonly ProtocolFunction[] = [...fills, ...cancels, placeForCoin];
