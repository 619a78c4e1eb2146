/** What every bridge says in the same words: an asset leaves here, and must arrive at somebody on another chain. */
import { MAX_UINT, native, token, unsaid, type Amount, type Asset, type Party } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { CallView, Draft, DraftFlow } from "../../protocol.ts";
import { lossBps, rescale } from "./amounts.ts";

type Crossing = {
  readonly gives: DraftFlow;
  readonly toChain: number;
  readonly receiver: Party;
  readonly receiverAt?: string;
  readonly gets?: DraftFlow;
  readonly fees?: Draft["fees"];
  readonly deadline?: bigint;
  readonly terms?: Draft["terms"];
};

/** A bridge without a minimum of its own is one to one, or the same token is minted over there. */
export const cross = (crossing: Crossing): Draft => ({
  act: "bridge",
  gives: [crossing.gives],
  gets: [crossing.gets ?? { ...crossing.gives, asset: overThere(crossing.gives.asset) }],
  receiver: crossing.receiver,
  toChain: crossing.toChain,
  ...(crossing.fees === undefined ? {} : { fees: crossing.fees }),
  ...(crossing.deadline === undefined ? {} : { deadline: crossing.deadline }),
  ...(crossing.terms === undefined ? {} : { terms: crossing.terms }),
  places: {
    amount: crossing.gives.at,
    ...(crossing.receiverAt === undefined ? {} : { receiver: crossing.receiverAt }),
    ...(crossing.gets === undefined ? {} : { minimum: crossing.gets.at }),
  },
});

/** The coin stays the coin; a token has another address on the other side, which the bytes do not tell. */
const overThere = (asset: Asset): Asset =>
  asset.kind === "native" ? native : unsaid("the same token on the other chain");

/** The token of the same symbol on another chain, where there is just one. */
export const counterpart = (call: CallView, asset: Address, from: number, to: number): Asset => {
  const here = call.registry.token(from, asset);
  const there = here === null ? [] : call.registry.named(to, here.symbol);
  const [only] = there;
  return only !== undefined && there.length === 1
    ? token(only.address)
    : unsaid("the same token on the other chain");
};

/** Coin beyond what is bridged pays for the message. Whoever is named for the change may keep it. */
export const messageFee = (call: CallView, bridged: bigint, refund?: Address): NonNullable<Draft["fees"]> => {
  const rest = call.value - bridged;
  if (rest <= 0n) return [];
  const own = refund === undefined || refund === call.sender || call.isSelf?.(refund) === true;
  return [{ to: own ? "venue" : refund, asset: native, share: { least: rest, most: rest }, at: "value" }];
};

type Quote = { readonly asset: Asset; readonly amount: bigint; readonly chain: number };

/** What the relayer keeps: the difference between the two amounts, once they are in the same decimals. */
export const relayerFee = (
  call: CallView,
  input: Quote,
  output: Quote,
  at: string,
): NonNullable<Draft["fees"]> => {
  const decimals = ({ asset, chain }: Quote): number | null =>
    asset.kind === "token"
      ? (call.registry.token(chain, asset.address)?.decimals ?? null)
      : asset.kind === "native"
        ? 18
        : null;
  const [from, to] = [decimals(input), decimals(output)];
  const arrives = from === null || to === null ? output.amount : rescale(output.amount, to, from);
  const bps = lossBps(input.amount, arrives);
  return bps === 0n ? [] : [{ to: "venue", asset: input.asset, share: { bps }, at }];
};

export const least = (amount: bigint): Amount => ({ least: amount, most: MAX_UINT });

/** What people say of a bridge. */
export const bridgeVerbs: Readonly<Record<string, readonly Draft["act"][]>> = {
  transfer: ["bridge"],
  supply: ["bridge"],
  withdraw: ["bridge"],
  swap: ["bridge"],
};
