/**
 * Labels that the caller gave to addresses ("Cold Storage 2", "Payroll Oct"), kept whole if the request contains
 * them. Text between two known names is cut where the caller cuts it; the address of a label is resolved later, from
 * the caller's book alone.
 */
import { join } from "./contacts.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { fold, type Mark } from "./phrases.ts";

const LABELS_MAX = 500;
const LENGTH_MAX = 60;
const ITEMS_MAX = 8;

const squash = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, "");

/** The book of labels, by their letters and digits alone. A label without a letter, or one that is too long, is left out. */
export type Labels = ReadonlySet<string>;
export const labelsOf = (labels: readonly string[]): Labels =>
  new Set(
    labels
      .slice(0, LABELS_MAX)
      .map((label) => squash(label.slice(0, LENGTH_MAX + 1)))
      .filter((label) => label.length > 1 && label.length <= LENGTH_MAX && /\p{L}/u.test(label)),
  );

/** No label may hide these: they change what is asked, or say by themselves who is meant. */
const NEVER = kinds("addr,hex,name,neg,cond,correct,then,self,key,unlimited,line,stop,my,share,pronoun");
/** Made of these alone it is what it says, whatever the book holds: "USDC", "Polygon USDC", "Uniswap V3". */
const PLAIN_MONEY = kinds("asset,num,scale,venue,chain,prep,and,all,fiat,percent,class,unit,punct");
const ORDINARY = kinds("word,balance,wei,noteword,keep,gas");

const ARTICLES =
  /^(?:the|el|la|le|les|los|der|die|das|dem|den|o|os|as|a|l|our|his|her|their|un|una|um|uma|une)$/;
const ARROW = /^(?:->|-->|=>|>>|→|➡|⇒|➔|⟶)$/;

/** A party is expected here: after "to", "from", an arrow, a verb that pays, or an article after them. */
const isCued = (items: readonly Item[], at: number): boolean => {
  const before = itemAt(items, at - 1);
  if (before.k === "my" || (before.k === "noise" && ARTICLES.test(before.low)))
    return at > 1 && isCued(items, at - 1);
  if (before.k === "key") return /^(?:to|from|spender)$/.test(before.v);
  return (
    isPrep(before, /^(?:to|into|in|from|between|behalf|for)$/) ||
    ARROW.test(before.low) ||
    (before.k === "verb" && before.mark?.acts.includes("transfer") === true)
  );
};

/**
 * A name may continue after the label: "Alice" is not "Alice Cooper". A word for the relationship is not part of the
 * name.
 */
const isPart = (items: readonly Item[], from: number, to: number): boolean => {
  const [before, after] = [itemAt(items, from - 1), itemAt(items, to)];
  const glued = before.k === "punct" && /^[-'’./]$/.test(before.v) && before.tight;
  if (after.k === "word" || glued || TELLS_APART.test(before.low)) return true;
  return before.k === "word" && relationAt(items, from) === from;
};

/** Words that tell one bearer of a name from another. */
const TELLS_APART =
  /^(?:other|another|second|third|new|old|older|younger|young|former|ex|late|fake|wrong|real|previous|first|last|otro|otra|nuevo|nueva|viejo|vieja|segundo|segunda|antiguo|falso|falsa|outro|outra|novo|nova|velho|velha|autre|nouveau|nouvelle|ancien|ancienne|vieux|anderer|andere|anderen|neuer|neue|neuen|alter|alte|alten|zweiter|zweite|ehemaliger)$/;
/** Small words that are part of a family's name. */
const PARTICLES = /^(?:van|von|de|di|da|del|la|le|el|bin|al|ter|den|der|du|dos|das)$/;
const ROLES =
  /^(?:vendor|supplier|contractor|designer|developer|auditor|accountant|landlord|landlady|tenant|client|customer|employee|freelancer|partner|friend|colleague|neighbou?r|grantee|contributor|payee|recipient|merchant|provider|proveedor|proveedora|cliente|contratista|contador|amigo|amiga|fornecedor|fornecedora|prestador|fournisseur|prestataire|client|locataire|lieferant|dienstleister|kunde|vermieter|mieter)$/;

/** Where "my brother", "our accountant", "vendor" begins right before a name; otherwise the name's own place. */
const relationAt = (items: readonly Item[], from: number): number => {
  const noun = itemAt(items, from - 1);
  if (noun.k !== "word" || noun.possessive || PARTICLES.test(noun.low)) return from;
  const owner = itemAt(items, from - 2);
  if (owner.k === "my") return from - 2;
  const led = owner.k === "prep" || owner.k === "verb" || (owner.k === "noise" && ARTICLES.test(owner.low));
  return led && ROLES.test(noun.low) ? from - 1 : from;
};

/** "Escrow contract": alone the first word is one's own account; with another behind it, a name. */
const isCompound = (said: readonly Item[]): boolean =>
  said.length > 1 && said[0]?.low === "escrow" && /^\p{Lu}/u.test(said[0].text);

const mayBe = (items: readonly Item[], from: number, to: number): boolean => {
  const said = items.slice(from, to);
  const [first] = said;
  if (said.some((item) => (isOne(item, NEVER) && !(item === first && isCompound(said))) || item.skip))
    return false;
  if (said.every((item) => isOne(item, PLAIN_MONEY))) return false;
  if (isPart(items, from, to)) return false;
  const [only, ...more] = said;
  if (only !== undefined && more.length === 0) {
    const named = /^\p{Lu}/u.test(only.text) && only.k === "word";
    return isOne(only, ORDINARY) && (named || isCued(items, from));
  }
  // "Delegate fund", "swap pool": verbs alone are a request unless a party is expected there.
  return said.some((item) => item.k !== "verb" && !isOne(item, PLAIN_MONEY)) || isCued(items, from);
};

/** Where the longest label that begins here ends, or `at`. */
const endOf = (items: readonly Item[], at: number, labels: Labels, text: string): number => {
  let end = at;
  if (squash(itemAt(items, at).text) === "") return end;
  for (let to = at + 1; to <= Math.min(items.length, at + ITEMS_MAX); to += 1) {
    const said = squash(
      text.slice(itemAt(items, at).start, itemAt(items, to - 1).end).replace(/['’]s$/u, ""),
    );
    if (said.length > LENGTH_MAX) break;
    if (labels.has(said) && squash(itemAt(items, to - 1).text) !== "" && mayBe(items, at, to)) end = to;
  }
  return end;
};

const COLON = /[:=]\s*$/;

/** "Treasury Safe: send": the last word of a label before a colon is no field of its own. */
const freeKeys = (items: Item[], labels: Labels, text: string): void => {
  for (let at = 1; at < items.length; at += 1) {
    const key = itemAt(items, at);
    if (key.k !== "key" || itemAt(items, at - 1).k !== "word") continue;
    const starts = [1, 2, 3].map((back) => itemAt(items, at - back).start);
    const said = text.slice(key.start, key.end).replace(COLON, "").trimEnd();
    if (!starts.some((start) => labels.has(squash(text.slice(start, key.start + said.length))))) continue;
    const end = key.start + said.length;
    const word: Item = { ...key, k: "word", v: "", text: said, low: fold(said), end, mark: null };
    items.splice(at, 1, word, { ...word, k: "punct", v: ":", text: ":", low: ":", start: end, end: key.end });
  }
};

const LABEL: Mark = { k: "label", v: "", acts: [], flags: [] };

/** Whether a contact was found in the caller's book. */
export const isLabel = (item: Item): boolean => item.k === "contact" && item.mark?.k === "label";

export const takeLabels = (items: Item[], labels: Labels, text: string): void => {
  if (labels.size === 0) return;
  freeKeys(items, labels, text);
  for (let at = 0; at < items.length; at += 1) {
    const to = endOf(items, at, labels, text);
    if (to === at) continue;
    const { possessive } = itemAt(items, to - 1);
    for (let index = relationAt(items, at); index < at; index += 1)
      items[index] = { ...itemAt(items, index), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
    join(items, { from: at, to }, text);
    items[at] = { ...itemAt(items, at), mark: LABEL, possessive };
    at = to - 1;
  }
};
