/** Circle's bridge: USDC is burnt on one chain and minted on another. */
import { packed, type PackedField } from "../bytes/openings.ts";
import { exactly, token, unsaid, amountFault } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type DraftChoice } from "../protocol.ts";
import { compared, feeds, feedsAll, feedsWhen, inert, openedBy, type Use } from "../uses.ts";
import { addressInWord, ZERO_WORD } from "./shared/address-words.ts";
import { code } from "./shared/admin-drafts.ts";
import { bridgeVerbs, counterpart, cross, least } from "./shared/bridging.ts";
import { chainOfDomain, findDomain } from "./shared/cctp-domains.ts";
import { onChains } from "./shared/swap-draft.ts";

type Burn = {
  readonly amount: bigint;
  readonly domain: number;
  readonly recipient: Hex;
  readonly burnToken: Address;
  readonly maxFee?: bigint;
  /** The only account that may complete the transfer. */
  readonly caller?: Hex;
  readonly hook?: Hex;
};

/** An account that alone may complete the transfer can also refuse to complete it. */
const completedBy = (caller: Hex | undefined): readonly DraftChoice[] =>
  caller === undefined || caller === ZERO_WORD
    ? []
    : [{ what: "executor", value: addressInWord(caller), at: "destinationCaller" }];

const burnt = (burn: Burn, call: CallView): Draft => {
  const toChain = chainOfDomain(burn.domain, call.chain);
  const asset = token(burn.burnToken);
  const fee = burn.maxFee ?? 0n;
  const isAllFee = fee >= burn.amount && burn.amount > 0n;
  return cross({
    gives: { asset, amount: exactly(burn.amount), at: "amount" },
    gets: {
      asset: counterpart(call, burn.burnToken, call.chain, toChain),
      amount: least(fee > burn.amount ? 0n : burn.amount - fee),
      at: burn.maxFee === undefined ? "amount" : "maxFee",
    },
    toChain,
    receiver: addressInWord(burn.recipient),
    receiverAt: "mintRecipient",
    ...(fee === 0n ? {} : { fees: [{ to: "venue", asset, share: { least: 0n, most: fee }, at: "maxFee" }] }),
    choices: [...completedBy(burn.caller), ...code(burn.hook ?? "0x", "hookData")],
    ...(isAllFee ? { terms: { faults: [amountFault("the fee may be as large as the amount")] } } : {}),
  });
};

/** Circle signs the whole message. A changed message makes the call fail. */
const attested = inert.signature;
const field = (name: string, bytes: number | "rest", use: Use): PackedField => ({ name, bytes, use });

const domains = [
  field("sourceDomain", 4, feedsWhen("asset", "the burnt token is known on that chain")),
  field("destinationDomain", 4, compared("equal", "this chain's number")),
];
const parties = [
  field("sender", 32, attested),
  field("recipient", 32, compared("equal", "this chain's messenger")),
  field("destinationCaller", 32, attested),
];
const body = [
  field("bodyVersion", 4, compared("equal", "the version of the message")),
  field("burnToken", 32, feedsWhen("asset", "it is known on its chain")),
  field("mintRecipient", 32, feeds.receiver),
  field("amount", 32, feeds.amount),
  field("messageSender", 32, inert.label),
];
const version = field("version", 4, compared("equal", "the version of the contract"));

const firstMessage = packed("a burn message", {
  head: [version, ...domains, field("nonce", 8, inert.replay), ...parties, ...body],
});
const secondMessage = packed("a burn message of the second version", {
  head: [
    version,
    ...domains,
    field("nonce", 32, inert.replay),
    ...parties,
    field("minFinalityThreshold", 4, attested),
    field("finalityThresholdExecuted", 4, attested),
    ...body,
    field("maxFee", 32, attested),
    field("feeExecuted", 32, feeds.amount),
    field("expirationBlock", 32, attested),
    field("hookData", "rest", feeds.choice),
  ],
});

type Version = {
  readonly number: bigint;
  readonly opening: typeof firstMessage;
  readonly messenger: Readonly<Record<number, Address>>;
};

/** Mints for the account in the message. */
const minted = (message: Hex, { number, opening, messenger }: Version, call: CallView): Draft => {
  const { head } = call.open(opening, message, "message");
  const wordAt = (name: string): Hex => head[name] ?? "0x";
  const integer = (name: string): bigint => BigInt(wordAt(name));
  const from = findDomain(Number(integer("sourceDomain")), call.chain);
  const to = findDomain(Number(integer("destinationDomain")), call.chain);
  const fee = "feeExecuted" in head ? integer("feeExecuted") : 0n;
  if (integer("version") !== number || integer("bodyVersion") !== number)
    throw new Error("the message has another version");
  if (to !== call.chain) throw new Error("the message is for another chain");
  if (addressInWord(wordAt("recipient")) !== messenger[call.chain])
    throw new Error("the message is not for Circle's messenger");
  if (fee > integer("amount")) throw new Error("the fee is more than the amount");
  return {
    act: "claim",
    gets: [
      {
        asset:
          from === null
            ? unsaid("the token that was burnt on an unknown chain")
            : counterpart(call, addressInWord(wordAt("burnToken")), from, call.chain),
        amount: exactly(integer("amount") - fee),
        at: "message",
      },
    ],
    receiver: addressInWord(wordAt("mintRecipient")),
    choices: code(wordAt("hookData"), "message"),
    places: { receiver: "message" },
  };
};

const mainnets = [1, 10, 130, 137, 8453, 42161, 43114, 59144];
const testnets = [11155111, 11155420, 84532, 421614, 43113];

const messenger: Readonly<Record<number, Address>> = {
  1: "0xbd3fa81b58ba92a82136038b25adec7066af3155",
  10: "0x2b4069517957735be00cee0fadae88a26365528f",
  130: "0x4e744b28e787c3ad0e810ed65a24461d4ac5a762",
  137: "0x9daf8c91aefae50b9c0e69629d3f6ca40ca3b3fe",
  8453: "0x1682ae6375c4e4a97e4b583bc394c861a46d8962",
  42161: "0x19330d10d9cc8751218eaf51e8885d058642e08a",
  43114: "0x6b25532e1060ce10cc3b0a99e5683b91bfde6982",
  ...onChains("0x9f3b8679c73c2fef8b59b4f3444d4e156fb70aa5", [11155111, 11155420, 84532, 421614]),
  43113: "0xeb08f243e5d3fcff26a9e38ae5520a669f4019d0",
};
const messengerV2: Readonly<Record<number, Address>> = {
  ...onChains("0x28b5a0e9c621a5badaa536219b3a228c8168cf5d", mainnets),
  ...onChains("0x8fe6b999dc680ccfdd5bf7eb0974218be2542daa", testnets),
};

const burnUses = {
  amount: feeds.amount,
  destinationDomain: feedsAll("toChain", "asset"),
  mintRecipient: feeds.receiver,
  burnToken: feeds.asset,
};
const burnUsesV2 = {
  ...burnUses,
  destinationCaller: feeds.choice,
  maxFee: feedsAll("fee", "minimum"),
  minFinalityThreshold: inert.bounded,
};

const first = [
  fn(
    "function depositForBurn(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken)",
    ["messenger"],
    burnUses,
    ([amount, domain, recipient, burnToken], call) => burnt({ amount, domain, recipient, burnToken }, call),
  ),
  fn(
    "function depositForBurnWithCaller(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller)",
    ["messenger"],
    { ...burnUses, destinationCaller: feeds.choice },
    ([amount, domain, recipient, burnToken, caller], call) =>
      burnt({ amount, domain, recipient, burnToken, caller }, call),
  ),
  fn(
    "function receiveMessage(bytes message, bytes attestation)",
    ["transmitter"],
    { message: openedBy(firstMessage), attestation: attested },
    ([message], call) => minted(message, { number: 0n, opening: firstMessage, messenger }, call),
  ),
];

const second = [
  fn(
    "function depositForBurn(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold)",
    ["messenger_v2"],
    burnUsesV2,
    ([amount, domain, recipient, burnToken, caller, maxFee], call) =>
      burnt({ amount, domain, recipient, burnToken, caller, maxFee }, call),
  ),
  fn(
    "function depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)",
    ["messenger_v2"],
    { ...burnUsesV2, hookData: feeds.choice },
    ([amount, domain, recipient, burnToken, caller, maxFee, , hook], call) =>
      burnt({ amount, domain, recipient, burnToken, caller, maxFee, hook }, call),
  ),
  fn(
    "function receiveMessage(bytes message, bytes attestation)",
    ["transmitter_v2"],
    { message: openedBy(secondMessage), attestation: attested },
    ([message], call) =>
      minted(message, { number: 1n, opening: secondMessage, messenger: messengerV2 }, call),
  ),
];

export default defineProtocol({
  title: "CCTP",
  names: ["cctp", "circle", "circle cctp", "cctp v2", "cross-chain transfer protocol", "circle bridge"],
  verbs: bridgeVerbs,
  contracts: {
    messenger,
    transmitter: {
      1: "0x0a992d191deec32afe36203ad87d7d289a738f81",
      10: "0x4d41f22c5a0e5c74090899e5a8fb597a8842b3e8",
      130: "0x353be9e2e38ab1d19104534e4edc21c643df86f4",
      137: "0xf3be9355363857f3e001be68856a2f96b4c39ba9",
      8453: "0xad09780d193884d503182ad4588450c416d6f9d4",
      42161: "0xc30362313fbba5cf9163f0bb16a0e01f01a896ca",
      43114: "0x8186359af5f57fbb40c6b14a588d2a59c0c29880",
      ...onChains("0x7865fafc2db2093669d92c0f33aeef291086befd", [11155111, 11155420, 84532]),
      421614: "0xacf1ceef35caac005e15888ddb8a3515c41b4872",
      43113: "0xa9fb1b3009dcb79e2fe346c16a604b8fa8ae0a79",
    },
    messenger_v2: messengerV2,
    transmitter_v2: {
      ...onChains("0x81d40f21f12a8f0e3252bccb954d722d4c464b64", mainnets),
      ...onChains("0xe737e5cebeeba77efe34d4aa090756590b1ce275", testnets),
    },
  },
  functions: [...first, ...second],
});
