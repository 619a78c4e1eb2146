/** Filling 1inch's limit orders, as the taker. */
import { atLeast, atMost, exactly, native, nativeFault } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { feeds, inert, openedBy } from "../../uses.ts";
import { openAddress, wordOf } from "./address-word.ts";
import {
  assetWord,
  isWrapped,
  makerTraitsForTaker,
  ORDER,
  takenOrderUses,
  takerTraits,
  unwrapped,
  type PackedOrder,
} from "./oneinch-traits.ts";
import { assetAt, flow, swapDraft } from "./swap-draft.ts";

type Taken = {
  readonly amount: bigint;
  readonly threshold: bigint;
  readonly byMakingAmount: boolean;
  /** Code of the order decides the price. */
  readonly isOpenPrice: boolean;
};

/** The amount is of one side, the threshold limits the other. */
const fillAmounts = (order: PackedOrder, { amount, threshold, byMakingAmount, isOpenPrice }: Taken) => {
  if (order.makingAmount === 0n || order.takingAmount === 0n) throw new Error("the order is empty");
  if (isOpenPrice && threshold === 0n) throw new Error("code in the order sets the price, without a limit");
  if (byMakingAmount) {
    const priced = (amount * order.takingAmount + order.makingAmount - 1n) / order.makingAmount;
    return { gives: atMost(threshold === 0n ? priced : threshold), gets: exactly(amount) };
  }
  const priced = (amount * order.makingAmount) / order.takingAmount;
  return { gives: exactly(amount), gets: atLeast(threshold === 0n ? priced : threshold) };
};

type Fill = {
  readonly order: PackedOrder;
  readonly amount: bigint;
  readonly traits: bigint;
  readonly args?: Hex;
};

const lengthHex = (length: bigint): string => length.toString(16).padStart(6, "0");

const fill = ({ order, amount, traits, args = "0x" }: Fill, call: CallView): Draft => {
  const taker = call.open(takerTraits, wordOf(traits), "takerTraits");
  const maker = call.open(makerTraitsForTaker, wordOf(order.makerTraits), "order.makerTraits");
  if (taker.namesTarget !== 0n) throw new Error("the receiver is in bytes that are not read");
  const lengths = [taker.extensionLength, taker.interactionLength];
  const total = lengths.reduce((sum, length) => sum + length, 0n);
  if (total !== BigInt((args.length - 2) / 2)) throw new Error("the lengths of the extra arguments differ");
  const makerAsset = openAddress(assetWord, order.makerAsset, "order.makerAsset", call);
  const takerAsset = openAddress(assetWord, order.takerAsset, "order.takerAsset", call);
  const isCoin = call.value > 0n;
  const { gives, gets } = fillAmounts(order, {
    amount,
    threshold: taker.threshold,
    byMakingAmount: taker.byMakingAmount === 1n,
    isOpenPrice: maker.hasExtension === 1n,
  });
  return {
    ...swapDraft({
      gives: flow(isCoin ? native : assetAt(takerAsset), gives, "amount"),
      gets: flow(unwrapped(makerAsset, taker.unwraps, call), gets, "takerTraits"),
      receiver: call.sender,
      ...(maker.expiration === 0n ? {} : { deadline: { until: maker.expiration, at: "order.makerTraits" } }),
      terms: {
        partial: maker.refusesPartialFills === 0n,
        ...(isCoin && !isWrapped(takerAsset, call)
          ? { faults: [nativeFault("native token is sent for an order that asks for another asset")] }
          : {}),
      },
    }),
    choices:
      args === "0x"
        ? []
        : [{ what: "code", value: `0x${lengths.map(lengthHex).join("")}${args.slice(2)}`, at: "args" }],
  };
};

const here = ["router_v6"];
const fillUses = { order: takenOrderUses, amount: feeds.amount, takerTraits: openedBy(takerTraits) };
const byKey = { ...fillUses, r: inert.signature, vs: inert.signature };
const byContract = { ...fillUses, signature: inert.signature };

export const fills: readonly ProtocolFunction[] = [
  fn(
    `function fillOrder(${ORDER}, bytes32 r, bytes32 vs, uint256 amount, uint256 takerTraits) payable`,
    here,
    byKey,
    ([order, , , amount, traits], call) => fill({ order, amount, traits }, call),
  ),
  fn(
    `function fillOrderArgs(${ORDER}, bytes32 r, bytes32 vs, uint256 amount, uint256 takerTraits, bytes args) payable`,
    here,
    { ...byKey, args: feeds.choice },
    ([order, , , amount, traits, args], call) => fill({ order, amount, traits, args }, call),
  ),
  fn(
    `function fillContractOrder(${ORDER}, bytes signature, uint256 amount, uint256 takerTraits)`,
    here,
    byContract,
    ([order, , amount, traits], call) => fill({ order, amount, traits }, call),
  ),
  fn(
    `function fillContractOrderArgs(${ORDER}, bytes signature, uint256 amount, uint256 takerTraits, bytes args)`,
    here,
    { ...byContract, args: feeds.choice },
    ([order, , amount, traits, args], call) => fill({ order, amount, traits, args }, call),
  ),
];
