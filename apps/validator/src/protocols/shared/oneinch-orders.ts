/** Limit orders of 1inch: signed or placed by a maker, and cancelled. */
import { atLeast, exactly, native, type Asset, type Party } from "../../effects.ts";
import type { Address, Hex, TypedData } from "../../proposal.ts";
import {
  fn,
  type CallView,
  type Draft,
  type DraftChoice,
  type ProtocolFunction,
  type ProtocolTypedData,
} from "../../protocol.ts";
import { compared, feeds, feedsWhen, openedBy } from "../../uses.ts";
import { openAddress, wordOf } from "./address-word.ts";
import { fills } from "./oneinch-fills.ts";
import {
  assetWord,
  coinOrderTraits,
  isWrapped,
  makerTraits,
  makerWord,
  MEMBERS,
  receiverWord,
  unwrapped,
  wrappedWord,
} from "./oneinch-traits.ts";
import { addressAt, integerAt } from "./signed-fields.ts";
import {
  assetAt,
  assetOrCoin,
  flow,
  partyAt,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./swap-draft.ts";

type Order = {
  readonly salt: bigint;
  readonly gives: Asset;
  readonly takerAsset: Address;
  readonly makingAmount: bigint;
  readonly takingAmount: bigint;
  readonly traits: ReturnType<typeof makerTraits.read>["values"];
  readonly payer: Party;
  readonly receiver: Party;
  /** Prefix of the field names. */
  readonly at: string;
};

/** An extension is code and data, bound by its hash in the salt. It may even change the amounts. */
const extensionOf = (order: Order, flags: readonly bigint[]): readonly DraftChoice[] =>
  flags.every((flag) => flag === 0n)
    ? []
    : [
        {
          what: "code",
          value: `${wordOf(order.salt)}${flags.map((flag) => `0${flag.toString()}`).join("")}`,
          at: `${order.at}salt`,
        },
      ];

const placedOrder = (order: Order, call: CallView): Draft => {
  const { traits } = order;
  const { hasExtension, hasPreInteraction, hasPostInteraction } = traits;
  return {
    ...swapDraft({
      gives: flow(order.gives, exactly(order.makingAmount), `${order.at}makingAmount`),
      gets: flow(
        unwrapped(order.takerAsset, traits.unwraps, call),
        atLeast(order.takingAmount),
        `${order.at}takingAmount`,
      ),
      receiver: order.receiver,
      receiverAt: `${order.at}receiver`,
      payer: order.payer,
      ...(traits.expiration === 0n
        ? {}
        : { deadline: { until: traits.expiration, at: `${order.at}makerTraits` } }),
      terms: {
        order: true,
        kind: "sell",
        partial: traits.refusesPartialFills === 0n,
        nonce: traits.nonceOrEpoch,
      },
    }),
    choices: extensionOf(order, [hasExtension, hasPreInteraction, hasPostInteraction]),
  };
};

const readSigned = ({ message }: TypedData, call: CallView): Draft => {
  const maker = addressAt(message, "maker");
  const receiver = addressAt(message, "receiver");
  // The signature has an effect only on the maker's tokens.
  const payer = call.isSelf(maker) ? call.sender : maker;
  return placedOrder(
    {
      salt: integerAt(message, "salt"),
      gives: assetAt(addressAt(message, "makerAsset")),
      takerAsset: addressAt(message, "takerAsset"),
      makingAmount: integerAt(message, "makingAmount"),
      takingAmount: integerAt(message, "takingAmount"),
      traits: call.open(makerTraits, wordOf(integerAt(message, "makerTraits")), "message.makerTraits"),
      payer,
      receiver: receiver === ZERO_ADDRESS || receiver === maker ? payer : receiver,
      at: "message.",
    },
    call,
  );
};

const saltUse = feedsWhen("choice", "the order has an extension, whose hash it holds");

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
  uses: {
    salt: saltUse,
    maker: feeds.payer,
    receiver: receiverOrCaller,
    makerAsset: assetOrCoin,
    takerAsset: assetOrCoin,
    makingAmount: feeds.amount,
    takingAmount: feeds.minimum,
    makerTraits: openedBy(makerTraits),
  },
  read: readSigned,
};

const here = ["router_v6"];

/** The order is identified by its hash or by the nonce, depending on its terms. */
const cancelled = (hash: Hex, traits: bigint, index = ""): readonly DraftChoice[] => [
  { what: "order", value: hash, at: index === "" ? "orderHash" : `orderHashes${index}` },
  { what: "permission", value: wordOf(traits), at: `makerTraits${index}` },
];

const cancels: readonly ProtocolFunction[] = [
  fn(
    "function cancelOrder(uint256 makerTraits, bytes32 orderHash)",
    here,
    { makerTraits: feeds.choice, orderHash: feeds.choice },
    ([traits, hash]) => ({ act: "cancel", choices: cancelled(hash, traits) }),
  ),
  fn(
    "function cancelOrders(uint256[] makerTraits, bytes32[] orderHashes)",
    here,
    { makerTraits: feeds.choice, orderHashes: feeds.choice },
    ([traits, hashes]) => {
      if (traits.length !== hashes.length) throw new Error("the lists have different lengths");
      // One effect for each, so that the same order twice does not count once.
      return hashes.map((hash, index) => ({
        act: "cancel" as const,
        choices: cancelled(hash, traits[index] ?? 0n, `[${index}]`),
      }));
    },
  ),
  fn("function increaseEpoch(uint96 series)", here, { series: feeds.choice }, ([series]) => ({
    act: "cancel",
    choices: [{ what: "permission", value: series, at: "series" }],
  })),
  fn(
    "function bitsInvalidateForOrder(uint256 makerTraits, uint256 additionalMask)",
    here,
    { makerTraits: feeds.choice, additionalMask: feeds.choice },
    ([traits, mask]) => ({
      act: "cancel",
      choices: [
        { what: "permission", value: wordOf(traits), at: "makerTraits" },
        { what: "permission", value: wordOf(mask), at: "additionalMask" },
      ],
    }),
  ),
];

const placeUses = {
  makerOrder: {
    salt: saltUse,
    maker: openedBy(makerWord),
    receiver: openedBy(receiverWord),
    makerAsset: openedBy(wrappedWord),
    takerAsset: openedBy(assetWord),
    makingAmount: compared("equal", "the native token sent"),
    takingAmount: feeds.minimum,
    makerTraits: openedBy(coinOrderTraits),
  },
};

/** Locks native value and places an order for it in the maker's name. */
const placeForCoin = fn(
  `function create(${MEMBERS} makerOrder) payable`,
  ["native_orders"],
  placeUses,
  ([order], call) => {
    const maker = openAddress(makerWord, order.maker, "makerOrder.maker", call);
    const sold = openAddress(wrappedWord, order.makerAsset, "makerOrder.makerAsset", call);
    const to = openAddress(receiverWord, order.receiver, "makerOrder.receiver", call);
    if (to === ZERO_ADDRESS) throw new Error("the order names no receiver");
    if (!call.isSelf(maker)) throw new Error("the order is placed for another maker");
    if (!isWrapped(sold, call)) throw new Error("the order does not sell the wrapped native token");
    if (order.makingAmount !== call.value) throw new Error("the order is not for the native token sent");
    const traits = call.open(coinOrderTraits, wordOf(order.makerTraits), "makerOrder.makerTraits");
    if (traits.unwraps !== 0n)
      throw new Error("an order that sells native token cannot ask for native token");
    return placedOrder(
      {
        salt: order.salt,
        gives: native,
        takerAsset: openAddress(assetWord, order.takerAsset, "makerOrder.takerAsset", call),
        makingAmount: order.makingAmount,
        takingAmount: order.takingAmount,
        traits,
        payer: call.sender,
        receiver: partyAt(to, call),
        at: "makerOrder.",
      },
      call,
    );
  },
);

export const orderFunctions: readonly ProtocolFunction[] = [...fills, ...cancels, placeForCoin];
