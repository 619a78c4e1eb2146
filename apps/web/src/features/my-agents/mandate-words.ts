// A mandate in plain terms. Everything that an agent wrote in it is rendered as untrusted text by the components.
import type { Api, Mandate } from "@countersign/sdk";
import { assetChain, assetSymbol } from "../../lib/assets.ts";
import { chainName } from "../../lib/chains.ts";
import { counted } from "../../lib/format.ts";

/** The members that the owner chooses, of a mandate or of a request for one. */
export type Chosen = Pick<Mandate["terms"], "acts" | "assets" | "recipients" | "limits" | "purpose">;
type Limit = Pick<Mandate["terms"]["limits"][number], "measure" | "span" | "seconds" | "most">;

const acts: Readonly<Record<string, string>> = {
  transfer: "send payments",
  approve: "give access to tokens",
  revoke: "take access away",
  swap: "swap",
  wrap: "wrap",
  unwrap: "unwrap",
  supply: "lend",
  withdraw: "withdraw",
  repay: "repay loans",
  stake: "stake",
  unstake: "unstake",
  claim: "claim rewards",
  add_liquidity: "add liquidity",
  remove_liquidity: "remove liquidity",
  buy_nft: "buy NFTs",
};

const listed = new Intl.ListFormat("en", { type: "conjunction" });

/** `send payments and swap`. */
export const actWords = ({ acts: all }: Pick<Chosen, "acts">): string =>
  listed.format(all.map((act) => acts[act] ?? act));

const spans: readonly (readonly [seconds: number, word: string])[] = [
  [7 * 86_400, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** `a day`, `every 3 hours`. */
function periodWords(seconds: number): string {
  const [size, word] = spans.find(([length]) => seconds % length === 0) ?? [1, "second"];
  const count = seconds / size;
  return count === 1 ? `${word === "hour" ? "an" : "a"} ${word}` : `every ${counted(count, word)}`;
}

/** `in any day`, `in any 3 hours`. */
const rollingWords = (seconds: number): string =>
  `in any ${periodWords(seconds).replace(/^(?:an?|every) /, "")}`;

/** An unknown span is shown as it is, never as another one. */
function spanWords({ span, seconds }: Pick<Limit, "span" | "seconds">): string {
  if (span === "period") return periodWords(seconds);
  if (span === "rolling") return rollingWords(seconds);
  if (span === "transaction") return "each";
  if (span === "total") return "in total";
  const [, unit = "", zone = ""] = /^(day|week|month) in (.+)$/.exec(span) ?? [];
  return unit === "" ? span : `each calendar ${unit} (${zone})`;
}

/** An amount in a limit's measure: `500 USDC`, `3 transactions`, `$20`. */
function amountWords(measure: string, amount: string): string {
  if (measure === "usd") return `$${amount}`;
  return measure === "count" ? counted(Number(amount), "transaction") : `${amount} ${assetSymbol(measure)}`;
}

/** `500 USDC a day`. */
export const limitWords = (limit: Limit): string =>
  `${amountWords(limit.measure, limit.most)} ${spanWords(limit)}`;

/** `USDC on Base, ETH on Sepolia`. */
export const assetWords = ({ assets }: Pick<Chosen, "assets">): string =>
  listed.format(assets.map((asset) => `${assetSymbol(asset)} on ${assetChain(asset)}`));

export type Recipient = { readonly address: string; readonly chain: string };

/** The allowed recipients. Undefined: anyone. */
export function recipientsOf({ recipients }: Pick<Chosen, "recipients">): readonly Recipient[] | undefined {
  if (recipients.includes("*")) return undefined;
  return recipients.map((recipient) => {
    const [, chainId = "", address = recipient] = recipient.split(":");
    return { address, chain: chainName(Number(chainId)) };
  });
}

/** The most that a stolen credential could take: limits over time, to whom. */
export function worstCase(chosen: Chosen): string {
  const over = chosen.limits.filter(({ measure, span }) => span !== "transaction" && measure !== "count");
  const to = recipientsOf(chosen);
  const whom = to === undefined ? "to anyone" : `only to ${counted(to.length, "address", "addresses")}`;
  return `${listed.format(over.map(limitWords))}, ${whom}`;
}

const isLive = ({ status }: Pick<Mandate, "status">): boolean =>
  status === "ACTIVE" || status === "SCHEDULED";

/** Those of one agent, newest first. */
export const mandatesOf = (mandates: readonly Mandate[], agent: string): readonly Mandate[] =>
  mandates.filter((mandate) => mandate.agent === agent && isLive(mandate));

export type Use = {
  readonly label: string;
  readonly text: string;
  /** 0 to 1. */
  readonly share: number;
  readonly isReached: boolean;
};

const fraction = (part: string, whole: string): number =>
  Number(whole) === 0 ? 1 : Math.min(1, Math.max(0, Number(part) / Number(whole)));

/** How much of a limit is used. Undefined for limits per transaction, which nothing uses up. */
export function useOfLimit(limit: Api.MandateLimitUse): Use | undefined {
  const { measure, span, most, left } = limit;
  if (span === "transaction") return undefined;
  const label = capital(spanWords(limit).replace(/^an? /, "per "));
  return {
    label,
    text: `${amountWords(measure, left)} left of ${measure === "count" ? most : amountWords(measure, most)}`,
    share: 1 - fraction(left, most),
    isReached: Number(left) === 0,
  };
}

/** The highest use of a limit: `0.04 of 0.05 ETH`. */
export function peakOf(limit: Limit & { readonly used: string }): Use {
  const { measure, span, most, used } = limit;
  const whole = amountWords(measure, most);
  return {
    label: span === "transaction" ? "Largest payment" : capital(spanWords(limit).replace(/^an? /, "per ")),
    text: `${measure === "usd" ? `$${used}` : used} of ${whole}`,
    share: fraction(used, most),
    isReached: Number(used) >= Number(most),
  };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The limit that is closest to being reached. */
export function tightestUse(mandates: readonly Mandate[]): Use | undefined {
  const uses = mandates.flatMap(({ limits }) => limits.map(useOfLimit)).filter((use) => use !== undefined);
  return uses.toSorted((one, other) => other.share - one.share)[0];
}
