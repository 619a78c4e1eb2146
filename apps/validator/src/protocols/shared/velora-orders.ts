/** Orders signed for Velora's agents, and offers signed between traders. */
import { atLeast, atMost, exactly, type Party } from "../../effects.ts";
import type { Address, TypedData } from "../../proposal.ts";
import type { CallView, Draft, ProtocolTypedData } from "../../protocol.ts";
import { addressAt, fieldsAt, hexAt, integerAt } from "./signed-fields.ts";
import { addressIn, assetAt, flow, swapDraft, ZERO_ADDRESS } from "./swap-draft.ts";

const FEE_BITS = 0x3fffn;

const ownerOf = (address: Address, call: CallView): Party =>
  call.isSelf?.(address) === true ? call.sender : address;

const readDelta = ({ message }: TypedData, call: CallView): Draft => {
  const owner = addressAt(message, "owner");
  const beneficiary = addressAt(message, "beneficiary");
  const payer = ownerOf(owner, call);
  const buys = integerAt(message, "kind") === 1n;
  const sold = integerAt(message, "srcAmount");
  const bought = integerAt(message, "destAmount");
  const into = assetAt(addressAt(message, "destToken"));
  const partner = integerAt(message, "partnerAndFee");
  const bps = partner & FEE_BITS;
  const chain = integerAt(fieldsAt(message, "bridge"), "destinationChainId");
  const fees =
    bps === 0n
      ? []
      : [{ to: addressIn(partner >> 96n), asset: into, share: { bps }, at: "message.partnerAndFee" }];
  const draft = swapDraft({
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
    fees,
    terms: {
      order: true,
      kind: buys ? "buy" : "sell",
      partial: false,
      nonce: integerAt(message, "nonce"),
      ...(buys ? { exactOut: true } : {}),
      ...(hexAt(message, "permit") === "0x" ? {} : { hooks: hexAt(message, "permit") }),
    },
  });
  return chain === 0n || chain === BigInt(call.chain)
    ? draft
    : { ...draft, act: "bridge", toChain: Number(chain) };
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
  read: readRfq,
};
