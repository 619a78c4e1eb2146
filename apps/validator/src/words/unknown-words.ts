/** Words that are in no table and that no part of the reading explains. */
import type { Intent } from "../intent.ts";
import type { Item } from "./items.ts";

/** Words right before one of these only describe it: "our warm wallet 0x…", "the audit firm 0x…". */
const isDescribed = ({ k, low }: Item): boolean =>
  k === "addr" || k === "name" || /^(?:wallet|account|address|safe|multisig)$/.test(low);

export function unknownWordsIn(items: readonly Item[]): NonNullable<Intent["unknownWords"]> {
  const found: Item[] = [];
  let describing = false;
  for (const item of items.toReversed()) {
    if (item.k === "word") {
      if (!describing && !item.skip && item.slot === null) found.unshift(item);
    } else describing = isDescribed(item);
  }
  return found.map(({ text, start, end }) => ({ text, span: [start, end] }));
}
