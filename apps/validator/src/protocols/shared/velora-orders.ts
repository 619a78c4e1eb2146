/** Orders signed for Velora's agents, and offers signed between traders. */
import { atLeast, atMost, exactly, type Party } from "../../effects.ts";
import type { Address, Hex, TypedData } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice, ProtocolTypedData } from "../../protocol.ts";
import { compared, feeds, feedsAll, inert, openedBy } from "../../uses.ts";
import { wordOf } from "./address-word.ts";
import { addressAt, fieldsAt, hexAt, integerAt } from "./signed-fields.ts";
import { assetAt, assetOrCoin, flow, receiverOrCaller, swapDraft, ZERO_ADDRESS } from "./swap-draft.ts";
import { partnerAndFee, partnerFee } from "./velora-fees.ts";

const ownerOf = (address: Address, call: CallView): Party => (call.isSelf(address) ? call.sender : address);

const permitOf = (permit: Hex): readonly DraftChoice[] =>
  permit === "0x" ? [] : [{ what: "code", value: permit, at: "message.permit" }];

const readDelta = ({ message }: TypedData, call: CallView): Draft => {
  const owner = addressAt(message, "owner");
  const beneficiary = addressAt(message, "beneficiary");
  const payer = ownerOf(owner, call);
  const kind = integerAt(message, "kind");
  if (kind > 1n) throw new Error("the order neither sells nor buys");
  const buys = kind === 1n;
  const sold = integerAt(message, "srcAmount");
  const bought = integerAt(message, "destAmount");
  const into = assetAt(addressAt(message, "destToken"));
  if (integerAt(fieldsAt(message, "bridge"), "destinationChainId") !== 0n)
    throw new Error("an output on another chain is not read");
  const { partner, bps } = call.open(
    partnerAndFee,
    wordOf(integerAt(message, "partnerAndFee")),
    "message.partnerAndFee",
  );
  return {
    ...swapDraft({
      gives: flow(
        assetAt(addressAt(message, "srcToken")),
        buys ? atMost(sold) : exactly(sold),
        "message.srcAmount",
      ),
      gets: flow(into, buys ? exactly(bought) : atLeast(bought), "message.destAmount"),
      payer,
      receiver: beneficiary === owner || beneficiary === ZERO_ADDRESS ? payer : beneficiary,
      receiverAt: "message.beneficiary",
      deadline: { until: integerAt(message, "deadline"), at: "message.deadline" },
      fees: partnerFee({ partner, bps, at: "message.partnerAndFee" }, into).map(({ fee }) => fee),
      terms: {
        order: true,
        kind: buys ? "buy" : "sell",
        partial: false,
        nonce: integerAt(message, "nonce"),
        ...(buys ? { exactOut: true } : {}),
      },
    }),
    choices: permitOf(hexAt(message, "permit")),
  };
};

export const deltaOrder: ProtocolTypedData = {
  primaryType: "Order",
  on: ["delta"],
  members: [
    "owner",
    "beneficiary",
    "srcToken",
    "destToken",
    "srcAmount",
    "destAmount",
    "deadline",
    "partnerAndFee",
    "bridge",
  ],
  uses: {
    owner: feeds.payer,
    beneficiary: receiverOrCaller,
    srcToken: assetOrCoin,
    destToken: assetOrCoin,
    srcAmount: feeds.amount,
    destAmount: feeds.minimum,
    // Agents are paid out of what exceeds it.
    expectedAmount: inert.bounded,
    deadline: feeds.deadline,
    kind: feeds.terms,
    nonce: inert.replay,
    partnerAndFee: openedBy(partnerAndFee),
    permit: feeds.choice,
    metadata: inert.label,
    bridge: {
      protocolSelector: inert.unused,
      destinationChainId: compared("equal", "zero"),
      outputToken: inert.unused,
      scalingFactor: inert.unused,
      protocolData: inert.unused,
    },
  },
  read: readDelta,
};

const readRfq = ({ message }: TypedData, call: CallView): Draft => {
  const maker = ownerOf(addressAt(message, "maker"), call);
  return swapDraft({
    gives: flow(
      assetAt(addressAt(message, "makerAsset")),
      exactly(integerAt(message, "makerAmount")),
      "message.makerAmount",
    ),
    gets: flow(
      assetAt(addressAt(message, "takerAsset")),
      atLeast(integerAt(message, "takerAmount")),
      "message.takerAmount",
    ),
    payer: maker,
    receiver: maker,
    receiverAt: "message.maker",
    deadline: { until: integerAt(message, "expiry"), at: "message.expiry" },
    terms: { order: true, kind: "sell", partial: true, nonce: integerAt(message, "nonceAndMeta") },
  });
};

export const rfqOrder: ProtocolTypedData = {
  primaryType: "Order",
  on: ["rfq"],
  members: [
    "nonceAndMeta",
    "expiry",
    "makerAsset",
    "takerAsset",
    "maker",
    "taker",
    "makerAmount",
    "takerAmount",
  ],
  uses: {
    nonceAndMeta: inert.replay,
    expiry: feeds.deadline,
    makerAsset: assetOrCoin,
    takerAsset: assetOrCoin,
    maker: feedsAll("payer", "receiver"),
    taker: inert.restricts,
    makerAmount: feeds.amount,
    takerAmount: feeds.minimum,
  },
  read: readRfq,
};
