/**
 * CoW Protocol: orders that solvers fill. Signed as typed data, placed with native value, or announced on chain by
 * their hash alone.
 */
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem/utils";
import { atLeast, atMost, exactly, native, unknownAmount, unsaid, type Terms } from "../effects.ts";
import type { Hex, TypedData } from "../proposal.ts";
import {
  defineProtocol,
  fn,
  type CallView,
  type Draft,
  type DraftChoice,
  type ProtocolFunction,
} from "../protocol.ts";
import { compared, feeds, feedsAll, inert } from "../uses.ts";
import { addressAt, flagAt, hexAt, integerAt } from "./shared/signed-fields.ts";
import {
  assetAt,
  assetOrCoin,
  flow,
  onChains,
  partyAt,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./shared/swap-draft.ts";

const CHAINS = [1, 56, 100, 137, 8453, 9745, 42161, 43114, 57073, 59144, 11155111];
/** Either the word or, in the signed struct, its hash. */
const SELL = new Set(["sell", "0xf3b277728b3fee749481eb3e0b3b48980dbbab78658fc419025cb16eee346775"]);
const BUY = new Set(["buy", "0x6ed88e868af0a1983e3886d5f3e95a2fafbd6c3450bc229e27342283dc429ccc"]);

/** Balances of the token itself. Balances inside Balancer's vault are not read. */
const PLAIN_BALANCE = new Set([
  "erc20",
  "0x5a28e9363bb942b639270062aa6bb295f434bcdfc42c97267bf003f272060dc9",
]);

type Order = {
  readonly sells: ReturnType<typeof assetAt>;
  readonly buyToken: string;
  readonly receiver: string;
  readonly sold: bigint;
  readonly bought: bigint;
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

const checkBalances = (message: TypedData["message"]): void => {
  for (const name of ["sellTokenBalance", "buyTokenBalance"]) {
    const balance = message[name];
    if (balance !== undefined && !(typeof balance === "string" && PLAIN_BALANCE.has(balance.toLowerCase())))
      throw new Error("the order uses a balance inside a vault");
  }
};

const readSigned = ({ message }: TypedData, call: CallView): Draft => {
  checkBalances(message);
  return orderDraft(
    {
      sells: assetAt(addressAt(message, "sellToken")),
      buyToken: addressAt(message, "buyToken"),
      receiver: message["receiver"] === undefined ? ZERO_ADDRESS : addressAt(message, "receiver"),
      sold: integerAt(message, "sellAmount") + integerAt(message, "feeAmount"),
      bought: integerAt(message, "buyAmount"),
      validTo: integerAt(message, "validTo"),
      kind: kindOf(message["kind"]),
      partial: flagAt(message, "partiallyFillable"),
      at: "message.",
    },
    call,
  );
};

const UID_DIGITS = 2 + 2 * 56;

const named = (uid: Hex, at: string): DraftChoice => {
  if (uid.length !== UID_DIGITS) throw new Error("this is not an order id");
  return { what: "order", value: uid, at };
};

/** The id of an order holds its hash, its owner and its expiry. It does not show what is traded. */
const announced = (uid: Hex, call: CallView): Draft => {
  const unknown = unsaid("an order known by its hash alone");
  return {
    ...swapDraft({
      gives: flow(unknown, unknownAmount, "orderUid"),
      gets: flow(unknown, { least: 0n, most: 0n }, "orderUid"),
      receiver: call.sender,
      deadline: { until: BigInt(`0x${uid.slice(-8)}`), at: "orderUid" },
      terms: { order: true },
    }),
    choices: [named(uid, "orderUid")],
  };
};

const cancelled = (uids: readonly { readonly uid: Hex; readonly at: string }[]): Draft => ({
  act: "cancel",
  choices: uids.map(({ uid, at }) => named(uid, at)),
});

const ETH_ORDER =
  "(address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, bytes32 appData, uint256 feeAmount, uint32 validTo, bool partiallyFillable, int64 quoteId) order";

const ethOrderForm = parseAbiParameters(ETH_ORDER);

/** Identifies the order by a hash over all its fields. */
const invalidateEthOrder: ProtocolFunction = fn(
  `function invalidateOrder(${ETH_ORDER})`,
  ["eth_flow"],
  { order: feeds.choice },
  ([order]) => ({
    act: "cancel",
    choices: [{ what: "order", value: keccak256(encodeAbiParameters(ethOrderForm, [order])), at: "order" }],
  }),
);

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
    fn(
      "function setPreSignature(bytes orderUid, bool signed)",
      ["settlement"],
      { orderUid: feedsAll("choice", "deadline"), signed: feeds.act },
      ([uid, signed], call) => (signed ? announced(uid, call) : cancelled([{ uid, at: "orderUid" }])),
    ),
    fn("function invalidateOrder(bytes orderUid)", ["settlement"], { orderUid: feeds.choice }, ([uid]) =>
      cancelled([{ uid, at: "orderUid" }]),
    ),
    fn(
      `function createOrder(${ETH_ORDER}) payable`,
      ["eth_flow"],
      {
        order: {
          buyToken: assetOrCoin,
          receiver: receiverOrCaller,
          sellAmount: feeds.amount,
          buyAmount: feeds.minimum,
          appData: inert.bounded,
          feeAmount: feeds.amount,
          validTo: feeds.deadline,
          partiallyFillable: feeds.terms,
          quoteId: inert.attribution,
        },
      },
      ([order], call) =>
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
    invalidateEthOrder,
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
      uses: {
        sellToken: assetOrCoin,
        buyToken: assetOrCoin,
        receiver: receiverOrCaller,
        sellAmount: feeds.amount,
        buyAmount: feeds.minimum,
        validTo: feeds.deadline,
        // The hash of a document for solvers: fees and hooks, which cost no more than the limits allow.
        appData: inert.bounded,
        feeAmount: feeds.amount,
        kind: feeds.terms,
        partiallyFillable: feeds.terms,
        sellTokenBalance: compared("equal", "balances of the token itself"),
        buyTokenBalance: compared("equal", "balances of the token itself"),
      },
      read: readSigned,
    },
    {
      primaryType: "OrderCancellations",
      on: ["settlement"],
      members: ["orderUids"],
      uses: { orderUids: feeds.choice },
      read: ({ message }) => {
        const uids = message["orderUids"];
        if (!Array.isArray(uids) || uids.length === 0) throw new Error("no order is given");
        return cancelled(
          uids.map((_, i) => ({
            uid: hexAt(uids as unknown as TypedData["message"], String(i)),
            at: `message.orderUids[${i}]`,
          })),
        );
      },
    },
    {
      primaryType: "OrderCancellation",
      on: ["settlement"],
      members: ["orderUid"],
      uses: { orderUid: feeds.choice },
      read: ({ message }) => cancelled([{ uid: hexAt(message, "orderUid"), at: "message.orderUid" }]),
    },
  ],
});
