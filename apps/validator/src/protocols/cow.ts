/** CoW Protocol: orders that solvers fill. Signed as typed data, placed with coin, or announced on chain by their hash alone. */
import { atLeast, atMost, exactly, native, unknownAmount, unsaid, type Terms } from "../effects.ts";
import type { Hex, TypedData } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { addressAt, flagAt, hexAt, integerAt } from "./shared/signed-fields.ts";
import { assetAt, flow, onChains, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";

const CHAINS = [1, 56, 100, 137, 8453, 9745, 42161, 43114, 57073, 59144, 11155111];
/** Nothing, and the hash of an empty document. */
const NO_APP_DATA = new Set([
  `0x${"00".repeat(32)}`,
  "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d",
]);
/** Either the word or, in the signed struct, its hash. */
const SELL = new Set(["sell", "0xf3b277728b3fee749481eb3e0b3b48980dbbab78658fc419025cb16eee346775"]);
const BUY = new Set(["buy", "0x6ed88e868af0a1983e3886d5f3e95a2fafbd6c3450bc229e27342283dc429ccc"]);

type Order = {
  readonly sells: ReturnType<typeof assetAt>;
  readonly buyToken: string;
  readonly receiver: string;
  readonly sold: bigint;
  readonly bought: bigint;
  readonly appData: Hex;
  readonly validTo: bigint;
  readonly kind: "sell" | "buy";
  readonly partial: boolean;
  readonly at: string;
};

const termsOf = (order: Order): Terms => ({
  order: true,
  kind: order.kind,
  partial: order.partial,
  ...(order.kind === "buy" ? { exactOut: true } : {}),
  ...(NO_APP_DATA.has(order.appData) ? {} : { hooks: order.appData }),
});

const orderDraft = (order: Order, call: CallView): Draft => {
  const buys = order.kind === "buy";
  return swapDraft({
    gives: flow(order.sells, buys ? atMost(order.sold) : exactly(order.sold), `${order.at}sellAmount`),
    gets: flow(
      assetAt(order.buyToken),
      buys ? exactly(order.bought) : atLeast(order.bought),
      `${order.at}buyAmount`,
    ),
    receiver: partyAt(order.receiver, call, { sender: ZERO_ADDRESS }),
    receiverAt: `${order.at}receiver`,
    deadline: { until: order.validTo, at: `${order.at}validTo` },
    terms: termsOf(order),
  });
};

const kindOf = (said: unknown): "sell" | "buy" => {
  const word = String(said).toLowerCase();
  if (SELL.has(word)) return "sell";
  if (BUY.has(word)) return "buy";
  throw new Error("the order neither sells nor buys");
};

const readSigned = ({ message }: TypedData, call: CallView): Draft =>
  orderDraft(
    {
      sells: assetAt(addressAt(message, "sellToken")),
      buyToken: addressAt(message, "buyToken"),
      receiver: message["receiver"] === undefined ? ZERO_ADDRESS : addressAt(message, "receiver"),
      sold: integerAt(message, "sellAmount") + integerAt(message, "feeAmount"),
      bought: integerAt(message, "buyAmount"),
      appData: hexAt(message, "appData"),
      validTo: integerAt(message, "validTo"),
      kind: kindOf(message["kind"]),
      partial: flagAt(message, "partiallyFillable"),
      at: "message.",
    },
    call,
  );

const UID_DIGITS = 2 + 2 * 56;

/** An order on chain is known by its hash, its owner and its last second; what it trades, the bytes do not say. */
const announced = (uid: Hex, call: CallView): Draft => {
  if (uid.length !== UID_DIGITS) throw new Error("this is not the name of an order");
  const unknown = unsaid("an order known by its hash alone");
  return {
    ...swapDraft({
      gives: flow(unknown, unknownAmount, "orderUid"),
      gets: flow(unknown, { least: 0n, most: 0n }, "orderUid"),
      receiver: call.sender,
      deadline: { until: BigInt(`0x${uid.slice(-8)}`), at: "orderUid" },
      terms: { order: true, hooks: uid.slice(0, 66) },
    }),
  };
};

const ETH_ORDER =
  "(address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, bytes32 appData, uint256 feeAmount, uint32 validTo, bool partiallyFillable, int64 quoteId) order";

export default defineProtocol({
  title: "CoW Protocol",
  names: ["cow", "cow swap", "cowswap", "cow protocol", "cow dao", "gnosis protocol"],
  family: "cow",
  contracts: {
    settlement: onChains("0x9008d19f58aabd9ed0d60971565aa8510560ab41", CHAINS),
    vault_relayer: onChains("0xc92e8bdf79f0507f65a392b0ab4667716bfe0110", CHAINS),
    eth_flow: onChains("0xba3cb449bd2b4adddbc894d8697f5170800eadec", CHAINS),
  },
  functions: [
    fn("function setPreSignature(bytes orderUid, bool signed)", ["settlement"], ([uid, signed], call) =>
      signed ? announced(uid, call) : { act: "cancel" },
    ),
    fn("function invalidateOrder(bytes orderUid)", ["settlement"], () => ({ act: "cancel" })),
    fn(`function createOrder(${ETH_ORDER}) payable`, ["eth_flow"], ([order], call) =>
      orderDraft(
        {
          ...order,
          sells: native,
          sold: order.sellAmount + order.feeAmount,
          bought: order.buyAmount,
          validTo: BigInt(order.validTo),
          kind: "sell",
          partial: order.partiallyFillable,
          at: "order.",
        },
        call,
      ),
    ),
    fn(`function invalidateOrder(${ETH_ORDER})`, ["eth_flow"], () => ({ act: "cancel" })),
  ],
  typedData: [
    {
      primaryType: "Order",
      on: ["settlement"],
      members: [
        "sellToken",
        "buyToken",
        "sellAmount",
        "buyAmount",
        "validTo",
        "appData",
        "feeAmount",
        "kind",
        "partiallyFillable",
      ],
      read: readSigned,
    },
    {
      primaryType: "OrderCancellations",
      on: ["settlement"],
      members: ["orderUids"],
      read: () => ({ act: "cancel" }),
    },
    {
      primaryType: "OrderCancellation",
      on: ["settlement"],
      members: ["orderUid"],
      read: () => ({ act: "cancel" }),
    },
  ],
});
