/** UniswapX: one signature lets a filler take the input, and the reactor ensures that the outputs arrive. */
import { native, token, type Amount, type Party, type Terms } from "../effects.ts";
import type { Address, TypedData } from "../proposal.ts";
import { defineProtocol, type CallView, type Draft } from "../protocol.ts";
import { compared, feeds, feedsAll, inert, type UseTree } from "../uses.ts";
import { addressAt, fieldsAt, integerAt, listAt, type Fields } from "./shared/signed-fields.ts";
import { flow, onChains, ZERO_ADDRESS } from "./shared/swap-draft.ts";
import { orderReactors } from "./shared/uniswap-addresses.ts";

type Output = {
  readonly token: Address;
  readonly amount: Amount;
  readonly recipient: Address;
  readonly at: string;
};
type Order = {
  readonly token: Address;
  readonly amount: Amount;
  readonly outputs: readonly Output[];
  readonly at: string;
};

const between = (a: bigint, b: bigint): Amount => (a < b ? { least: a, most: b } : { least: b, most: a });

const decaying = (holder: Fields, at: string): readonly Output[] =>
  listAt(holder, at).map((each, i) => ({
    token: addressAt(each, "token"),
    amount: between(integerAt(each, "startAmount"), integerAt(each, "endAmount")),
    recipient: addressAt(each, "recipient"),
    at: `message.witness.${at}[${i}]`,
  }));

const fixed = (holder: Fields): readonly Output[] =>
  listAt(holder, "outputs").map((each, i) => ({
    token: addressAt(each, "token"),
    amount: between(integerAt(each, "amount"), integerAt(each, "amount")),
    recipient: addressAt(each, "recipient"),
    at: `message.witness.outputs[${i}]`,
  }));

/** The third kind decays along a curve between a start and an explicit limit. */
const curved = (holder: Fields): readonly Output[] =>
  listAt(holder, "baseOutputs").map((each, i) => ({
    token: addressAt(each, "token"),
    amount: between(integerAt(each, "startAmount"), integerAt(each, "minAmount")),
    recipient: addressAt(each, "recipient"),
    at: `message.witness.baseOutputs[${i}]`,
  }));

const input = (holder: Fields, names: readonly [string, string, string]) => ({
  token: addressAt(holder, names[0]),
  amount: between(integerAt(holder, names[1]), integerAt(holder, names[2])),
});

const at = "message.witness.";

/** Each kind of order is identified by the fields that only it has. */
const readWitness = (witness: Fields): Order => {
  if ("baseInputToken" in witness) {
    const from = input(witness, ["baseInputToken", "baseInputStartAmount", "baseInputEndAmount"]);
    return { ...from, outputs: decaying(witness, "baseOutputs"), at: `${at}baseInputEndAmount` };
  }
  if ("baseInput" in witness) {
    const from = input(fieldsAt(witness, "baseInput"), ["token", "startAmount", "maxAmount"]);
    return { ...from, outputs: curved(witness), at: `${at}baseInput.maxAmount` };
  }
  if ("inputStartAmount" in witness) {
    const from = input(witness, ["inputToken", "inputStartAmount", "inputEndAmount"]);
    return { ...from, outputs: decaying(witness, "outputs"), at: `${at}inputEndAmount` };
  }
  if ("inputAmount" in witness) {
    const from = input(witness, ["inputToken", "inputAmount", "inputAmount"]);
    return { ...from, outputs: fixed(witness), at: `${at}inputAmount` };
  }
  const from = input(fieldsAt(witness, "input"), ["token", "amount", "amount"]);
  return { ...from, outputs: fixed(witness), at: `${at}input.amount` };
};

const isReactor = (address: Address, chain: number): boolean => {
  const known = orderReactors[chain];
  return known !== undefined && (typeof known === "string" ? known === address : known.includes(address));
};

const assetOf = (address: Address) => (address === ZERO_ADDRESS ? native : token(address));

const checkPermit = (message: Fields, order: Order, call: CallView): void => {
  const permitted = fieldsAt(message, "permitted");
  const spender = addressAt(message, "spender");
  if (!isReactor(spender, call.chain)) throw new Error("the spender of the tokens is not a reactor");
  if (addressAt(fieldsAt(fieldsAt(message, "witness"), "info"), "reactor") !== spender) {
    throw new Error("the order and the permit name different reactors");
  }
  const info = fieldsAt(fieldsAt(message, "witness"), "info");
  for (const shared of ["nonce", "deadline"]) {
    if (integerAt(message, shared) !== integerAt(info, shared))
      throw new Error(`the permit and the order differ in their ${shared}`);
  }
  if (addressAt(permitted, "token") !== order.token || integerAt(permitted, "amount") < order.amount.most) {
    throw new Error("the permit and the order are for different tokens");
  }
};

const termsOf = (order: Order, nonce: bigint): Terms => {
  const buys =
    order.amount.least !== order.amount.most &&
    order.outputs.every(({ amount }) => amount.least === amount.most);
  return {
    order: true,
    kind: buys ? "buy" : "sell",
    partial: false,
    nonce,
    ...(buys ? { exactOut: true } : {}),
  };
};

/** The swapper gets the outputs that go to it. Any other output is a payment, unless the first one goes elsewhere itself. */
const share = (order: Order, swapper: Address) => {
  const main = order.outputs.some(({ recipient }) => recipient === swapper)
    ? swapper
    : order.outputs[0]?.recipient;
  if (main === undefined) throw new Error("nothing is asked for in return");
  return {
    receiver: main,
    gets: order.outputs.filter(({ recipient }) => recipient === main),
    others: order.outputs.filter(({ recipient }) => recipient !== main),
  };
};

const readOrder = ({ message }: TypedData, call: CallView): Draft => {
  const witness = fieldsAt(message, "witness");
  const info = fieldsAt(witness, "info");
  const order = readWitness(witness);
  checkPermit(message, order, call);
  const swapper = addressAt(info, "swapper");
  const payer: Party = call.isSelf(swapper) ? call.sender : swapper;
  const { receiver, gets, others } = share(order, swapper);
  const permitted = integerAt(fieldsAt(message, "permitted"), "amount");
  return {
    act: "swap",
    payer,
    gives: [flow(assetOf(order.token), { ...order.amount, most: permitted }, order.at)],
    gets: gets.map((each) => flow(assetOf(each.token), { ...each.amount }, each.at)),
    receiver: receiver === swapper ? payer : receiver,
    fees: others.map((each) => ({
      to: each.recipient,
      asset: assetOf(each.token),
      share: each.amount,
      at: each.at,
    })),
    deadline: integerAt(info, "deadline"),
    terms: termsOf(order, integerAt(info, "nonce")),
    places: {
      amount: order.at,
      minimum: gets[0]?.at ?? at,
      receiver: `${gets[0]?.at ?? at}.recipient`,
      deadline: `${at}info.deadline`,
    },
  };
};

const PERMIT2 = onChains(
  "0x000000000022d473030f116ddee9f6b43ac78ba3",
  Object.keys(orderReactors).map(Number),
);

const decays = inert.bounded;

/** Time, base fee or auction move an amount only between its start and its limit. */
const outputUses: UseTree = {
  token: feeds.asset,
  amount: feeds.minimum,
  startAmount: feeds.minimum,
  endAmount: feeds.minimum,
  minAmount: feeds.minimum,
  recipient: feedsAll("receiver", "fee"),
  curve: decays,
  adjustmentPerGweiBaseFee: decays,
  mpsPerPriorityFeeWei: inert.restricts,
};

/** Fields of all order types. Each type has a subset. */
const witnessUses: UseTree = {
  info: {
    reactor: compared("equal", "the spender of the permit"),
    swapper: feeds.payer,
    nonce: compared("equal", "the nonce of the permit"),
    deadline: feeds.deadline,
    // A view call before the fill that can only reject.
    additionalValidationContract: inert.restricts,
    additionalValidationData: inert.restricts,
  },
  // Restrict who can fill first, or improve the amounts.
  exclusiveFiller: inert.restricts,
  exclusivityOverrideBps: inert.restricts,
  cosigner: inert.restricts,
  decayStartTime: decays,
  decayEndTime: decays,
  startingBaseFee: decays,
  auctionStartBlock: decays,
  baselinePriorityFeeWei: decays,
  inputToken: feeds.asset,
  inputAmount: feeds.amount,
  inputStartAmount: feeds.amount,
  inputEndAmount: feeds.amount,
  baseInputToken: feeds.asset,
  baseInputStartAmount: feeds.amount,
  baseInputEndAmount: feeds.amount,
  input: { token: feeds.asset, amount: feeds.amount, mpsPerPriorityFeeWei: inert.restricts },
  baseInput: {
    token: feeds.asset,
    startAmount: feeds.amount,
    maxAmount: feeds.amount,
    curve: decays,
    adjustmentPerGweiBaseFee: decays,
  },
  outputs: outputUses,
  baseOutputs: outputUses,
};

export default defineProtocol({
  title: "UniswapX",
  names: ["uniswapx", "uniswap x", "uni x", "uniswap", "uni"],
  family: "uniswap",
  contracts: { reactor: orderReactors, permits: PERMIT2 },
  functions: [],
  typedData: [
    {
      primaryType: "PermitWitnessTransferFrom",
      on: ["permits"],
      members: ["permitted", "spender", "nonce", "deadline", "witness"],
      uses: {
        permitted: { token: compared("equal", "the token of the order"), amount: feeds.amount },
        spender: compared("one_of", "the reactors"),
        nonce: compared("equal", "the nonce of the order"),
        deadline: compared("equal", "the deadline of the order"),
        witness: witnessUses,
      },
      read: readOrder,
    },
  ],
});
