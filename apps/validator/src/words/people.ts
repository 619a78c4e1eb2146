/** Parties in running text: addresses, names, the person themself, and contacts known only by what they are called. */
import { namedParty } from "./ens.ts";
import type { Address } from "../proposal.ts";
import { itemAt, type Item } from "./items.ts";
import { emit, spanOf, type Reader } from "./reader.ts";

export const onParty = (reader: Reader, at: number): number | null => {
  const item = itemAt(reader.items, at);
  const span = spanOf(item);
  if (item.k === "addr") {
    emit(
      reader,
      {
        k: "party",
        party: { kind: "address", address: item.v.toLowerCase() as Address, span },
        aside: reader.aside,
      },
      at,
      at + 1,
    );
    return at + 1;
  }
  if (item.k === "name") {
    emit(reader, { k: "party", party: namedParty(item.v, span), aside: reader.aside }, at, at + 1);
    return at + 1;
  }
  if (item.k === "contact") {
    const party = { kind: "contact", label: item.v, span } as const;
    emit(reader, { k: "party", party, aside: reader.aside }, at, at + 1);
    return at + 1;
  }
  if (item.k !== "self") return null;
  const named =
    (reader.prep !== null && !/^(?:i|we)$/.test(item.low)) ||
    /^(?:me|myself|us)$/.test(item.low) ||
    item.low.length > 4;
  if (named && !(reader.early && reader.prep === null)) {
    emit(reader, { k: "party", party: { kind: "self", span }, aside: reader.aside }, at, at + 1);
  }
  return at + 1;
};

const CONTACT_WORDS_MAX = 4;
const NOBODY = new Set<string | undefined>([
  "supply",
  "stake",
  "wrap",
  "unwrap",
  "add_liquidity",
  "repay",
  "borrow",
]);

const expectsContact = (reader: Reader): boolean => {
  const [act] = reader.group.acts;
  if ((reader.early && reader.prep === null) || NOBODY.has(act)) return false;
  if (reader.prep === "between") return true;
  if (reader.prep === "to" || reader.prep === "key:to")
    return !reader.used || (reader.listed && reader.events.at(-1)?.k === "party");
  return act === "transfer" && reader.prep === null && reader.events.length === 0;
};

/** "Alice", "my cold wallet", "the treasury". */
export const onWord = (reader: Reader, at: number): number | null => {
  const item = itemAt(reader.items, at);
  if ((item.k !== "word" && item.k !== "my") || item.slot === "note") return null;
  if (!expectsContact(reader)) return null;
  // "to real ETH", "into native USDC": what kind of asset it is.
  if (item.k === "word" && itemAt(reader.items, at + 1).k === "asset" && !/^\p{Lu}/u.test(item.text))
    return at + 1;
  let next = at;
  while (next < at + CONTACT_WORDS_MAX && isLabel(itemAt(reader.items, next), next > at)) next += 1;
  const words = reader.items.slice(at, next).filter((one) => one.k === "word");
  if (words.length === 0) return null;
  // "Settle the contributors: …": a heading, not a party.
  if (itemAt(reader.items, next).v === ":") return next;
  const last = itemAt(reader.items, next - 1);
  const label = reader.items
    .slice(at, next)
    .map((one) => one.text)
    .join(" ");
  emit(
    reader,
    { k: "party", party: { kind: "contact", label, span: [item.start, last.end] }, aside: reader.aside },
    at,
    next,
  );
  return next;
};

const LABEL_TAIL = /^(?:wallet|account|address|safe|contract)$/;

const isLabel = (item: Item, later: boolean): boolean => {
  if (item.slot === "note") return false;
  if (item.k === "word" || (item.k === "my" && !later)) return true;
  return later && (item.k === "balance" || (item.k === "noise" && LABEL_TAIL.test(item.low)));
};
