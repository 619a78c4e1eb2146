/** Separable verbs: "take 5 USDC out", "zahle 500 DAI ein". */
import { itemAt, type Item } from "./items.ts";
import type { Mark, Table } from "./phrases.ts";

const PARTICLES = new Set("out,off,back,up,down,in,away,ein,aus,ab,zuruck,an,um,hinzu,frei,auf".split(","));
const REACH = 14;

const particleOf = (item: Item): string | null => {
  const head = item.low.split(" ")[0] ?? "";
  return PARTICLES.has(head) ? head : null;
};

const endsReach = (item: Item): boolean =>
  item.k === "stop" || item.k === "line" || item.k === "then" || item.k === "verb" || item.v === ";";

const closes = (item: Item): boolean =>
  item.k === "end" || endsReach(item) || item.v === "," || item.k === "and";

const whole = (items: readonly Item[], at: number, table: Table): Item | null => {
  const verb = itemAt(items, at);
  for (let next = at + 1; next < Math.min(items.length, at + REACH); next += 1) {
    const item = itemAt(items, next);
    if (endsReach(item)) return null;
    const found = pairOf(table, verb.low, particleOf(item));
    if (found === null) continue;
    // A German particle at the very end of the clause is spent; an English "out of" still introduces a place.
    if ((item.k === "num" || item.k === "prep") && closes(itemAt(items, next + 1))) item.k = "noise";
    return { ...verb, v: found.v, mark: found, low: `${verb.low} ${item.low}` };
  }
  return null;
};

const pairOf = (table: Table, verb: string, particle: string | null): Mark | null => {
  if (particle === null) return null;
  const found = table.phrases.get(verb)?.find(({ words }) => words.length === 2 && words[1] === particle);
  return found?.mark.k === "verb" ? found.mark : null;
};

export const joinParticles = (items: readonly Item[], table: Table): Item[] =>
  items.map((item, at) =>
    item.k === "verb" && !item.low.includes(" ") ? (whole(items, at, table) ?? item) : item,
  );
