/** The command of a universal router that deposits to the Across bridge. */
import { blob } from "../../bytes/openings.ts";
import { everything, exactly, native, token, type Asset } from "../../effects.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { feeds, feedsWhen, inert } from "../../uses.ts";
import { rescale } from "./amounts.ts";
import { step } from "./permit-steps.ts";
import { flow, lower, ZERO_ADDRESS } from "./swap-draft.ts";
import { CONTRACT_BALANCE } from "./v4-plan.ts";

const deposit = blob(
  "(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message, bool useNative) params",
  {
    params: {
      depositor: feeds.choice,
      recipient: feeds.receiver,
      inputToken: feedsWhen("asset", "the native token itself is not bridged"),
      outputToken: feeds.asset,
      inputAmount: feedsWhen("amount", "it is not more than the router holds"),
      outputAmount: feeds.minimum,
      destinationChainId: feeds.toChain,
      exclusiveRelayer: inert.restricts,
      quoteTimestamp: inert.hint,
      fillDeadline: feedsWhen("deadline", "the call has no earlier one"),
      exclusivityDeadline: inert.restricts,
      message: feedsWhen("choice", "it is not empty"),
      useNative: feeds.asset,
    },
  },
);

/** The output on the other chain if the bridge chooses the token. */
const arriving = (outputToken: string): Asset =>
  lower(outputToken) === ZERO_ADDRESS
    ? { kind: "unsaid", why: "the bridge's own choice of token on the other chain" }
    : token(lower(outputToken));

export const bridge = step(deposit, ([sent], _call, at) => {
  const amount = sent.inputAmount === CONTRACT_BALANCE ? everything : exactly(sent.inputAmount);
  const place = `${at}.params`;
  if (sent.inputAmount === 0n) throw new Error("nothing is bridged");
  return {
    act: "bridge",
    payer: "venue",
    gives: [flow(sent.useNative ? native : token(lower(sent.inputToken)), amount, `${place}.inputAmount`)],
    gets: [flow(arriving(sent.outputToken), exactly(sent.outputAmount), `${place}.outputAmount`)],
    receiver: lower(sent.recipient),
    toChain: Number(sent.destinationChainId),
    deadline: BigInt(sent.fillDeadline),
    choices: [
      // An unfilled deposit is refunded to the depositor.
      { what: "refund_receiver", value: lower(sent.depositor), at: `${place}.depositor`, roles: [] },
      ...(sent.message === "0x"
        ? []
        : [{ what: "code" as const, value: sent.message, at: `${place}.message` }]),
    ],
    places: {
      receiver: `${place}.recipient`,
      minimum: `${place}.outputAmount`,
      toChain: `${place}.destinationChainId`,
    },
  };
});

const COIN_DECIMALS = 18;
/** The part of the input that a bridge may keep, in percent: the operator's default limit. */
const MOST_KEPT = 5n;

const decimalsOf = (asset: Asset, chain: number, call: CallView): number | null => {
  if (asset.kind === "native") return COIN_DECIMALS;
  return asset.kind === "token" ? (call.registry.token(chain, asset.address)?.decimals ?? null) : null;
};

/** Swaps return the wrapped native token, which the router unwraps before it bridges native value. */
const isInput = (asset: Asset, input: Asset, call: CallView): boolean => {
  const address = asset.kind === "token" ? asset.address : null;
  if (input.kind === "native")
    return asset.kind === "native" || address === call.registry.chain(call.chain)?.wrapped;
  return input.kind === "token" && address === input.address;
};

const guaranteed = (swaps: readonly Draft[], input: Asset, call: CallView): bigint =>
  swaps
    .flatMap(({ gets = [] }) => gets)
    .filter(({ asset }) => isInput(asset, input, call))
    .reduce((sum, { amount }) => sum + amount.least, 0n);

/** The bridge's output in units of its input, or null if the decimals are not known. */
const outputOf = ({ gives = [], gets = [], toChain }: Draft, call: CallView): bigint | null => {
  const [input, output] = [gives[0], gets[0]];
  if (input === undefined || output === undefined) return null;
  const from = decimalsOf(input.asset, call.chain, call);
  const to = decimalsOf(output.asset, toChain ?? 0, call);
  return from === null || to === null ? null : rescale(output.amount.least, to, from);
};

/**
 * Throws if a bridge after a swap takes a fixed part of the output, which leaves the rest in the router, or if the swap's minimum
 * does not pay for the bridge's output. Relayers do not fill an underpaid deposit: it is refunded, and the output never arrives.
 */
export const checkFunding = (effects: readonly Draft[], call: CallView): void => {
  const swaps = effects.filter(({ act }) => act === "swap");
  if (swaps.length === 0) return;
  for (const sent of effects.filter(({ act }) => act === "bridge")) {
    const input = sent.gives?.[0];
    if (input?.amount.everything !== true)
      throw new Error("the bridge takes a fixed part of a swap's output");
    const output = outputOf(sent, call);
    if (output === null) throw new Error("the swap's minimum cannot be compared with the bridge's output");
    if (guaranteed(swaps, input.asset, call) * 100n < output * (100n - MOST_KEPT))
      throw new Error("the swap's minimum does not pay for the bridge's output");
  }
};
