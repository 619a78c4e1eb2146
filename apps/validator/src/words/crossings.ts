/**
 * Transfers between two chains: the chain next to a bridge is the destination ("deposit 2 ETH to 0x… on Optimism via
 * the standard bridge"), and "burn on one and mint on the other" is one transfer. The transaction must start
 * elsewhere and end there.
 */
import type { Draft } from "./drafts.ts";
import { isPrep, itemAt, type Item } from "./items.ts";

const BRIDGES = /bridge|^(?:across|cctp|stargate|hop|synapse|connext|wormhole|layerzero)/;
const REACH = 10;

const isAct = (item: Item, word: RegExp): boolean => item.k === "verb" && word.test(item.low);

const landing = (items: readonly Item[], from: number): number => {
  for (let at = from; at < from + REACH; at += 1)
    if (isAct(itemAt(items, at), /^mint(?:ed|s|ing)?$/)) return at;
  return -1;
};

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

/** "burn 35,000 USDC on Ethereum and mint on Base to 0x…". */
export const takeBurns = (items: Item[]): void => {
  const at = items.findIndex((item) => isAct(item, /^burn(?:s|ing)?$/));
  const mint = at < 0 ? -1 : landing(items, at + 1);
  if (mint < 0) return;
  const lead = itemAt(items, mint + 1).low === "it" ? mint + 2 : mint + 1;
  if (!isPrep(itemAt(items, lead), /^(?:on|in)$/) || itemAt(items, lead + 1).k !== "chain") return;
  const burn = itemAt(items, at);
  items[at] = { ...burn, v: "bridge", mark: { k: "verb", v: "bridge", acts: ["bridge"], flags: [] } };
  items[lead] = { ...itemAt(items, lead), v: "to", low: "to" };
  for (let index = mint; index < lead; index += 1) asNote(items, index);
  if (itemAt(items, mint - 1).k === "and" || itemAt(items, mint - 1).k === "then") asNote(items, mint - 1);
};

/** "从以太坊跨到 Arbitrum": from the chain, whose name begins like its coin's. */
export const takeOrigins = (items: Item[]): void => {
  const at = items.findIndex(({ low }, index) => low === "以 太" && itemAt(items, index + 1).low === "坊");
  if (at < 0 || !isPrep(itemAt(items, at - 1), /^from$/)) return;
  if (itemAt(items, at + 2).mark?.acts[0] !== "bridge") return;
  const [coin, rest] = [itemAt(items, at), itemAt(items, at + 1)];
  items.splice(at, 2, {
    ...coin,
    k: "chain",
    v: "ethereum",
    low: "ethereum",
    end: rest.end,
    symbol: null,
    mark: null,
  });
};

/** "the Optimism standard bridge": the chain is part of the bridge's name, if it is also named alone. */
export const takeBridges = (items: Item[]): void => {
  const said = new Map<string, number>();
  for (const { k, low } of items) if (k === "chain") said.set(low, (said.get(low) ?? 0) + 1);
  for (const [at, item] of items.entries()) {
    if (item.k !== "chain" || (said.get(item.low) ?? 0) < 2) continue;
    const next = itemAt(items, at + 1);
    const lead = itemAt(items, at - 1).k === "noise" ? at - 2 : at - 1;
    if (next.k === "venue" && next.low.includes("bridge") && isPrep(itemAt(items, lead), /^on$/))
      asNote(items, at);
  }
};

const isVague = ({ quantity }: Draft["gets"][number]): boolean => quantity?.kind === "vague";

const isCrossing = ({ acts, venues }: Draft): boolean =>
  acts[0] === "bridge" ||
  ((acts.includes("bridge") || acts[0] === "transfer") && venues.some(({ venue }) => BRIDGES.test(venue)));

/** "on Base", "auf Base", and neither "from Base" nor "chain: Base". */
const isWhither = (items: readonly Item[], start: number): boolean => {
  const at = items.findIndex((item) => item.k === "chain" && item.start === start);
  const lead = itemAt(items, at - 1).k === "noise" ? at - 2 : at - 1;
  return at > 0 && isPrep(itemAt(items, lead), /^(?:on|in|to|into)$/);
};

/** The same steps with the one chain that is named as the end of the way; null where none crosses. */
export const byDestination = (steps: readonly Draft[], items: readonly Item[]): readonly Draft[] | null => {
  const turned = steps.map((step) =>
    isCrossing(step) && step.chain !== null && step.toChain === null && isWhither(items, step.chain.span[0])
      ? {
          ...step,
          acts: ["bridge" as const],
          chain: null,
          toChain: step.chain,
          // "I need some ETH on Optimism": why, and less than what is then said.
          gets: step.gets.filter((one) => !isVague(one)),
        }
      : step,
  );
  return turned.some((step, at) => step !== steps[at]) ? turned : null;
};
