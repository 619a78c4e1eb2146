/** Reads deposits with Across, in every form of their arguments. */
import { exactly, native, token, unsaid, nativeFault, type Asset, type Fault } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert } from "../../uses.ts";
import { addressInWord } from "./address-words.ts";
import { code } from "./admin-drafts.ts";
import { chainOf, cross, least, relayerFee } from "./bridging.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

type Deposit = {
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

/**
 * Native value in and the wrapped native token out means native value out: relayers unwrap it. Without an output
 * token it is the same token.
 */
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

/** The pool takes native value only for the wrapped native token, and only the amount of the deposit. */
export const coinFaults = (asset: Address, amount: bigint, call: CallView): readonly Fault[] => {
  if (call.value === 0n) return [];
  return [
    ...(call.value === amount ? [] : [nativeFault("the native token sent is not the amount to be bridged")]),
    ...(asset === call.registry.chain(call.chain)?.wrapped
      ? []
      : [nativeFault("native token is sent, but the token to be bridged is not its wrapped form")]),
  ];
};

const deposited = (deposit: Deposit, deadline: bigint | null, call: CallView): Draft => {
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
const heldBy = (draft: Draft, depositor: Address, call: CallView): readonly Draft[] => {
  if (depositor === call.sender || call.isSelf(depositor)) return [draft];
  return [
    draft,
    { act: "admin", admin: { kind: "bridge_depositor", party: depositor }, places: { admin: "depositor" } },
  ];
};

/** All four forms of a deposit begin with these arguments. */
type Leading<T> = readonly [
  depositor: T,
  recipient: T,
  inputToken: T,
  outputToken: T,
  inputAmount: bigint,
  outputAmount: bigint,
  destinationChainId: bigint,
  ...rest: readonly unknown[],
];

/** Reads the addresses of a deposit that has them in 32-byte words. Throws for an account of a chain that is not an EVM chain. */
export const inAddresses = ([
  depositor,
  recipient,
  inputToken,
  outputToken,
  ...rest
]: Leading<Hex>): Leading<Address> => [
  addressInWord(depositor),
  addressInWord(recipient),
  addressInWord(inputToken),
  addressInWord(outputToken),
  ...rest,
];

/** Returns the effects of a deposit. `deadline` is null if it is an offset from the time of the block. */
export function readDeposit(
  [
    depositor,
    recipient,
    inputToken,
    outputToken,
    inputAmount,
    outputAmount,
    destinationChainId,
  ]: Leading<Address>,
  { deadline, message }: { readonly deadline: bigint | null; readonly message: Hex },
  call: CallView,
): readonly Draft[] {
  const deposit = {
    depositor,
    recipient,
    inputToken,
    outputToken,
    inputAmount,
    outputAmount,
    destinationChainId,
    message,
  };
  return heldBy(deposited(deposit, deadline, call), depositor, call);
}
