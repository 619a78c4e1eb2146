/** Across: the sender deposits tokens into a spoke pool, and a relayer pays out on the other chain for the difference. */
import { exactly, native, token, unsaid } from "../effects.ts";
import { defineProtocol, fn, unreadFn } from "../protocol.ts";
import { feeds, inert, openedAsCalls } from "../uses.ts";
import { coinFaults, depositUses, inAddresses, readDeposit } from "./shared/across-deposit.ts";
import { addressInWord } from "./shared/address-words.ts";
import { code } from "./shared/admin-drafts.ts";
import { bridgeVerbs, chainOf, cross, least, relayerFee } from "./shared/bridging.ts";
import { callsOnItself } from "./shared/calls-on-itself.ts";

const on = ["spoke_pool"];

const untilUses = {
  ...depositUses,
  quoteTimestamp: inert.bounded,
  fillDeadline: feeds.deadline,
};
/** The pool itself rejects an offset of more than a few hours. */
const fromNowUses = { ...depositUses, fillDeadlineOffset: inert.restricts };

const deposits = [
  fn(
    "function depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) payable",
    on,
    { ...untilUses, exclusivityDeadline: inert.restricts },
    (args, call) => readDeposit(args, { deadline: BigInt(args[9]), message: args[11] }, call),
  ),
  fn(
    "function depositV3Now(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 fillDeadlineOffset, uint32 exclusivityDeadline, bytes message) payable",
    on,
    { ...fromNowUses, exclusivityDeadline: inert.restricts },
    (args, call) => readDeposit(args, { deadline: null, message: args[10] }, call),
  ),
  fn(
    "function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable",
    on,
    { ...untilUses, exclusivityParameter: inert.restricts },
    (args, call) => readDeposit(inAddresses(args), { deadline: BigInt(args[9]), message: args[11] }, call),
  ),
  fn(
    "function depositNow(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 fillDeadlineOffset, uint32 exclusivityParameter, bytes message) payable",
    on,
    { ...fromNowUses, exclusivityParameter: inert.restricts },
    (args, call) => readDeposit(inAddresses(args), { deadline: null, message: args[10] }, call),
  ),
];

const WHOLE = 10n ** 18n;

/** The first version has a fee in 18 decimals of a whole instead of the amount that must arrive. */
const legacy = fn(
  "function deposit(address recipient, address originToken, uint256 amount, uint256 destinationChainId, int64 relayerFeePct, uint32 quoteTimestamp, bytes message, uint256 maxCount) payable",
  on,
  {
    recipient: feeds.receiver,
    originToken: feeds.asset,
    amount: feeds.amount,
    destinationChainId: feeds.toChain,
    relayerFeePct: feeds.minimum,
    quoteTimestamp: inert.bounded,
    message: feeds.choice,
    maxCount: inert.unused,
  },
  ([recipient, originToken, amount, destinationChainId, relayerFeePct, , message], call) => {
    if (relayerFeePct < 0n || relayerFeePct > WHOLE) throw new Error("the fee is not between 0 and 100 %");
    const isCoin = call.value > 0n;
    const arrives = amount - (amount * relayerFeePct) / WHOLE;
    const asset = isCoin ? native : token(originToken);
    const faults = coinFaults(originToken, amount, call);
    const quote = { asset, chain: call.chain };
    return cross({
      gives: { asset, amount: exactly(isCoin ? call.value : amount), at: "amount" },
      gets: {
        asset: isCoin ? native : unsaid("the same token on the other chain"),
        amount: least(arrives),
        at: "relayerFeePct",
      },
      toChain: chainOf(destinationChainId),
      receiver: recipient,
      receiverAt: "recipient",
      fees: relayerFee(call, { ...quote, amount }, { ...quote, amount: arrives }, "relayerFeePct"),
      choices: code(message, "message"),
      terms: faults.length === 0 ? {} : { faults },
    });
  },
);

/** Changes the terms of an earlier deposit. The arguments do not show which deposit it is. */
const updates = [
  unreadFn(
    "function speedUpV3Deposit(address depositor, uint256 depositId, uint256 updatedOutputAmount, address updatedRecipient, bytes updatedMessage, bytes depositorSignature)",
    on,
    ([, , , receiver]) => ({ receiver }),
  ),
  unreadFn(
    "function speedUpDeposit(bytes32 depositor, uint256 depositId, uint256 updatedOutputAmount, bytes32 updatedRecipient, bytes updatedMessage, bytes depositorSignature)",
    on,
    ([, , , recipient]) => ({ receiver: addressInWord(recipient) }),
  ),
  fn("function multicall(bytes[] data)", on, { data: openedAsCalls }, ([data], call) => ({
    calls: callsOnItself(data, call, 0n),
  })),
];

export default defineProtocol({
  title: "Across",
  names: ["across", "across protocol", "across bridge", "across.to"],
  verbs: bridgeVerbs,
  contracts: {
    spoke_pool: {
      1: "0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5",
      10: "0x6f26bf09b1c792e3228e5467807a900a503c0281",
      137: "0x9295ee1d8c5b022be115a2ad3c30c72e34e7f096",
      324: "0xe0b015e54d54fc84a6cb9b666099c46ade9335ff",
      480: "0x09aea4b2242abc8bb4bb78d537a67a245a7bec64",
      1135: "0x9552a0a6624a23b848060ae5901659cdda1f83f8",
      8453: "0x09aea4b2242abc8bb4bb78d537a67a245a7bec64",
      34443: "0x3bad7ad0728f9917d1bf08af5782dcbd516cdd96",
      42161: "0xe35e9842fceaca96570b734083f4a58e8f7c5f2a",
      57073: "0xef684c38f94f48775959ecf2012d7e864ffb9dd4",
      59144: "0x7e63a5f1a8f0b4d0934b2f2327daed3f6bb2ee75",
      81457: "0x2d509190ed0172ba588407d4c2df918f955cc6e1",
      534352: "0x3bad7ad0728f9917d1bf08af5782dcbd516cdd96",
      7777777: "0x13fdac9f9b4777705db45291bbff3c972c6d1d97",
      11155111: "0x5ef6c01e11889d86803e0b23e3cb3f9e9d97b662",
    },
  },
  functions: [...deposits, legacy, ...updates],
});
