// A world in words, and as a test that an owner can keep.
import { formatUnits } from "viem/utils";
import type { z } from "zod";
import type { PolicyTest } from "../tests.ts";
import { mostMicro, type Fact, type World } from "./world.ts";

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Digits in groups of three, with up to `places` decimals. */
function amountText(n: bigint, places: number): string {
  const digits = String(n).padStart(places + 1, "0");
  const whole = digits.slice(0, -places).replace(/\B(?=(?:\d{3})+$)/g, ",");
  const part = digits.slice(-places).replace(/0+$/, "");
  return part === "" ? whole : `${whole}.${part}`;
}

export const dollarText = (n: bigint): string => `${amountText(n, 4)} USD`;

export function amountShown(amount: World["amount"]): string {
  if (amount === null) return "an amount that is not known";
  return amount.isUnbounded
    ? "an unlimited amount"
    : `${amountText(amount.micro, 6)} ${amount.micro === 1_000_000n ? "token" : "tokens"}`;
}

export const instantShown = ({ ms, hour, weekday }: World["at"], timeZone: string): string =>
  `${dayNames[weekday - 1] ?? ""} ${String(hour).padStart(2, "0")}:00 (${timeZone}, ${new Date(ms).toISOString()})`;

const nouns: Readonly<Record<string, string>> = {
  approve: "an approval",
  revoke: "a revocation",
  delegate: "a delegation",
  admin: "an administrative change",
  withdraw: "a withdrawal",
  repay: "a repayment",
  buy_nft: "a purchase of an NFT",
  sell_nft: "a sale of an NFT",
  add_liquidity: "a deposit of liquidity",
  remove_liquidity: "a removal of liquidity",
};

const nounOf = (act: string): string => nouns[act] ?? `${/^[aeiou]/.test(act) ? "an" : "a"} ${act}`;

function recipientShown({ act, recipient, known, chain }: World, tellsPast: boolean): string {
  if (recipient === null) return "for the account itself";
  const preposition = ["approve", "delegate", "admin"].includes(act) ? "for" : "to";
  const place = recipient.startsWith(`eip155:${chain}:`) ? "" : " on another chain";
  const past = tellsPast ? `, an address that was ${known ? "paid before" : "never paid"}` : "";
  return `${preposition} ${recipient}${place}${past}`;
}

function amountsShown({ amount, asset, usd }: World, told: ReadonlySet<Fact>): string {
  const what = asset === null || !told.has("asset") ? "" : ` of ${asset}`;
  const howMuch = told.has("amount") || what !== "" ? ` of ${amountShown(amount)}${what}` : "";
  return told.has("usd") ? `${howMuch} worth ${dollarText(usd)}` : howMuch;
}

/** One sentence with the facts in `told`. */
export function describeWorld(world: World, told: ReadonlySet<Fact>, timeZone: string): string {
  const { act, at, count, effects, signed, byEffect, agent, chain } = world;
  const isTold = (fact: Fact): boolean => told.has(fact);
  const parts = [
    `${nounOf(act)}${amountsShown(world, told)} ${recipientShown(world, isTold("known"))}`,
    ...(effects > 1 ? [`${effects} times in one transaction`] : []),
    ...(count > 1 ? [`as the last of ${count} such transactions in 24 hours`] : []),
    ...(isTold("at") ? [`on ${instantShown(at, timeZone)}`] : []),
    ...(isTold("chain") ? [`on chain ${chain}`] : []),
    ...(isTold("signed") ? [`with a request that is ${signed ? "" : "not "}signed`] : []),
    ...(isTold("byEffect") ? [`through ${byEffect ? "an unknown" : "a known"} contract`] : []),
    ...(isTold("agent") ? [`by ${agent}`] : []),
  ];
  return `${parts.join(", ")}.`.replace(/^./, (letter) => letter.toUpperCase());
}

const decimals = 6;
const pricePlaces = 18;

/** The price with which so many units are worth so many dollars. None if that is nothing. */
function priceOf(units: bigint, usd: bigint): { readonly price?: string } {
  if (units === 0n || usd === 0n) return {};
  const perUnit = (usd * 10n ** BigInt(pricePlaces - 4 + decimals)) / units;
  return { price: formatUnits(perUnit, pricePlaces) };
}

function effectOf({
  act,
  recipient,
  asset,
  amount,
  usd,
  byEffect,
}: World): z.input<typeof PolicyTest>["effects"][number] {
  const party = { ...(recipient === null ? {} : { recipient }), ...(byEffect ? { byEffect } : {}) };
  if (asset === null) return { act, ...party };
  if (amount === null) return { act, ...party, asset, units: "1", decimals: null };
  // One more than a request can carry, which makes it unbounded.
  const units = amount.isUnbounded ? mostMicro + 1n : amount.micro;
  return { act, ...party, asset, units: String(units), decimals, ...priceOf(units, usd) };
}

/** The world as a test of the policy that fails until the policy asks. */
export function testOf(world: World, name: string): z.input<typeof PolicyTest> {
  const { agent, chain, recipient, known, count, effects, signed, at } = world;
  return {
    ...{ name: name.slice(0, 200), agent, chainId: chain, dayCount: count, signed },
    effects: Array.from({ length: effects }, () => effectOf(world)),
    known: recipient !== null && known ? [recipient] : [],
    at: new Date(at.ms).toISOString(),
    expect: "ask",
  };
}
