/**
 * "1.500" where the comma begins a fraction: fifteen hundred to everybody who writes German, Portuguese, Spanish or French, if the
 * text is plainly theirs, writes no number the other way and counts dollars. Else both readings stay: of a coin a person from
 * there too may have copied "1.250" from a screen that writes one and a quarter so.
 */
import { isDollar } from "../intent/dollars.ts";
import type { Item } from "./items.ts";

const DOTTED_FRACTION = /^(?:0\.[0-9]+|[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})|[0-9,]+,[0-9]{3}\.[0-9]+)$/;
const COMMA_FRACTION = /^[0-9.]*[0-9],(?:[0-9]{1,2}|[0-9]{4,})$/;
const COMMA_GROUPS = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+$/;
const DOTTED_GROUPS = /^[1-9][0-9]{0,2}\.[0-9]{3}$/;

/** The writer sets the dot before a fraction, or the comma between thousands. */
const isOtherWay = ({ text }: Item): boolean => DOTTED_FRACTION.test(text) || COMMA_GROUPS.test(text);

const isOfDollars = ({ v }: Item): boolean => isDollar(v.toUpperCase());

/** Are dollars all that is named? */
function namesOnlyDollars(items: readonly Item[]): boolean {
  const assets = items.filter(({ k }) => k === "asset");
  return assets.length > 0 && assets.every(isOfDollars);
}

/** `clear`: the request leaves no doubt about the language. A fraction after a comma ("3,17 WETH") settles it as well. */
export const settleGroups = (items: Item[], clear: boolean): void => {
  const numbers = items.filter((item) => item.k === "num");
  if (!clear && !numbers.some(({ text }) => COMMA_FRACTION.test(text))) return;
  if (numbers.some(isOtherWay)) return;
  const onlyDollars = namesOnlyDollars(items);
  for (const [at, item] of items.entries()) {
    if (item.k !== "num" || item.read === null || !DOTTED_GROUPS.test(item.text)) continue;
    const next = items[at + 1];
    const countsDollars = next?.k === "asset" ? isOfDollars(next) : onlyDollars;
    if (countsDollars) items[at] = { ...item, read: { ...item.read, others: [] } };
  }
};
