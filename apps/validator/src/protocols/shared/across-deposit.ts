/** What a deposit with Across says, whatever form its arguments have. */
import { exactly, native, token, unsaid, type Asset } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert } from "../../uses.ts";
import { addressInWord } from "./address-words.ts";
import { code } from "./admin-drafts.ts";
import { chainOf, cross, least, relayerFee } from "./bridging.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

export type Deposit = {
  readonly depositor: Address;
  readonly recipient: Address;
  readonly inputToken: Address;
  readonly outputToken: Address;
  readonly inputAmount: bigint;
  readonly outputAmount: bigint;
  readonly destinationChainId: bigint;
  readonly message: Hex;
};

/** Any relayer that fills a deposit must pay out the stated output. */
export const depositUses = {
  depositor: feeds.admin,
  recipient: feeds.receiver,
  inputToken: feeds.asset,
  outputToken: feedsWhen("asset", "it is not zero, which means the same token"),
  inputAmount: feeds.amount,
  outputAmount: feeds.minimum,
  destinationChainId: feedsAll("toChain", "asset"),
  exclusiveRelayer: inert.restricts,
  message: feeds.choice,
};

/** The coin in and the wrapped coin out is the coin out: relayers unwrap it. No token named means the same one. */
const outputOf = (deposit: Deposit, isCoin: boolean, call: CallView): Asset => {
  const chain = chainOf(deposit.destinationChainId);
  const wrapped = call.registry.chain(chain)?.wrapped;
  const hasSameCoin = call.registry.chain(call.chain)?.coin === call.registry.chain(chain)?.coin;
  if (isCoin && hasSameCoin && [ZERO_ADDRESS, wrapped].includes(deposit.outputToken)) return native;
  if (deposit.outputToken !== ZERO_ADDRESS) return token(deposit.outputToken);
  const symbol = call.registry.token(call.chain, deposit.inputToken)?.symbol;
  const named = symbol === undefined ? [] : call.registry.named(chain, symbol);
  return named.length === 1 && named[0] !== undefined
    ? token(named[0].address)
    : unsaid("the same token on the other chain");
};

/** The pool takes coin only for the wrapped coin, and only as much as the deposit says. */
export const coinFaults = (asset: Address, amount: bigint, call: CallView): readonly string[] => {
  if (call.value === 0n) return [];
  return [
    ...(call.value === amount ? [] : ["the coin sent along is not the amount to be bridged"]),
    ...(asset === call.registry.chain(call.chain)?.wrapped
      ? []
      : ["coin is sent along, and the token to be bridged is not the wrapped coin"]),
  ];
};

export const deposited = (deposit: Deposit, deadline: bigint | null, call: CallView): Draft => {
  const toChain = chainOf(deposit.destinationChainId);
  const isCoin = call.value > 0n;
  const input = isCoin ? native : token(deposit.inputToken);
  const output = outputOf(deposit, isCoin, call);
  const faults = coinFaults(deposit.inputToken, deposit.inputAmount, call);
  return cross({
    gives: { asset: input, amount: exactly(isCoin ? call.value : deposit.inputAmount), at: "inputAmount" },
    gets: { asset: output, amount: least(deposit.outputAmount), at: "outputAmount" },
    toChain,
    receiver: deposit.recipient,
    receiverAt: "recipient",
    fees: relayerFee(
      call,
      { asset: input, amount: deposit.inputAmount, chain: call.chain },
      { asset: output, amount: deposit.outputAmount, chain: toChain },
      "outputAmount",
    ),
    ...(deadline === null ? {} : { deadline }),
    choices: code(deposit.message, "message"),
    terms: faults.length === 0 ? {} : { faults },
  });
};

/** The account named depositor gets a refund, and may later lower the amount and change the receiver. */
export const heldBy = (draft: Draft, depositor: Address, call: CallView): readonly Draft[] => {
  if (depositor === call.sender || call.isSelf(depositor)) return [draft];
  return [
    draft,
    { act: "admin", admin: { kind: "bridge_depositor", party: depositor }, places: { admin: "depositor" } },
  ];
};

type Parties<T> = Readonly<Record<"depositor" | "recipient" | "inputToken" | "outputToken", T>>;

export function inWords(words: Parties<Hex>): Parties<Address> {
  return {
    depositor: addressInWord(words.depositor),
    recipient: addressInWord(words.recipient),
    inputToken: addressInWord(words.inputToken),
    outputToken: addressInWord(words.outputToken),
  };
}
