/** What a deposit with Across says, whatever form its arguments have. */
import { keccak256 } from "viem/utils";
import { exactly, native, token, unsaid, type Asset } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { addressInWord } from "./address-words.ts";
import { cross, least, relayerFee } from "./bridging.ts";
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

export const chainOf = (id: bigint): number => {
  if (id > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error("no such chain");
  return Number(id);
};

/** The coin in and the wrapped coin out is the coin out: relayers unwrap it. No token named means the same one. */
const outputOf = (deposit: Deposit, isCoin: boolean, call: CallView): Asset => {
  const chain = chainOf(deposit.destinationChainId);
  const wrapped = call.registry.chain(chain)?.wrapped;
  if (isCoin && [ZERO_ADDRESS, wrapped].includes(deposit.outputToken)) return native;
  if (deposit.outputToken !== ZERO_ADDRESS) return token(deposit.outputToken);
  const symbol = call.registry.token(call.chain, deposit.inputToken)?.symbol;
  const named = symbol === undefined ? [] : call.registry.named(chain, symbol);
  return named.length === 1 && named[0] !== undefined
    ? token(named[0].address)
    : unsaid("the same token on the other chain");
};

export const deposited = (deposit: Deposit, deadline: bigint | null, call: CallView): Draft => {
  const toChain = chainOf(deposit.destinationChainId);
  const isCoin = call.value > 0n;
  const input = isCoin ? native : token(deposit.inputToken);
  const output = outputOf(deposit, isCoin, call);
  const faults =
    isCoin && call.value !== deposit.inputAmount
      ? ["the coin sent along is not the amount to be bridged"]
      : [];
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
    terms: {
      ...(deposit.message === "0x" ? {} : { hooks: keccak256(deposit.message) }),
      ...(faults.length === 0 ? {} : { faults }),
    },
  });
};

/** Whoever is named depositor may later lower the amount and change the receiver. */
export const heldBy = (draft: Draft, depositor: Address, call: CallView): readonly Draft[] => {
  if (depositor === call.sender || call.isSelf?.(depositor) === true || call.isSelf === undefined)
    return [draft];
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
