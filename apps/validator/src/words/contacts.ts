/**
 * Who is called by what: "Li Wei", "Tom from accounting", "my Kraken deposit". A label is kept whole and as written, before
 * its words can be taken for units, tokens or verbs, so that it can be looked up among the caller's own labels.
 */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import type { Mark } from "./phrases.ts";

const LABEL_MAX = 5;
const TITLE = /^\p{Lu}[\p{L}\p{M}']*\p{Ll}/u;

/** Other meanings of a capitalised word that may still be a name. */
const NAMEABLE = kinds("word,asset,wei,verb,noteword,class,venue,balance");
const PLAIN = kinds("word,balance,verb,class,noteword,fee");
const ARTICLES = /^(?:the|el|la|le|les|los|der|die|das|dem|den|o|os|as|our|his|her|their)$/;
const HOLDERS =
  /^(?:wallet|account|address|safe|contract|vault|multisig|conta|cuenta|carteira|konto|compte)$/;

/** First names that are small words too. */
const FIRST_NAMES =
  /^(?:max|will|bill|grant|mark|jan|april|june|art|hope|frank|chase|drew|pat|sue|rob|faith|penny)$/;

export const isTitle = (item: Item): boolean =>
  (isOne(item, NAMEABLE) || FIRST_NAMES.test(item.low) || (item.k === "noise" && HOLDERS.test(item.low))) &&
  TITLE.test(item.text) &&
  !item.skip;

/** A word that names a party alone. If nothing is paid, a word that is also a token stays one: "swap to Link". */
export const isName = (item: Item, pays: boolean): boolean =>
  isTitle(item) &&
  (/^(?:word|wei)$/.test(item.k) || FIRST_NAMES.test(item.low)) &&
  (pays || item.symbol === null);

/** "Li Wei", "Studio Nord", "Acme Payroll": where the run of capitalised words that begins here ends. */
export const titlesEnd = (items: readonly Item[], at: number): number => {
  let next = at;
  while (next < at + LABEL_MAX && isTitle(itemAt(items, next))) next += 1;
  return next;
};

/** "Tom from accounting", "Anna at work": where a person is from belongs to the name. */
const withOrigin = (items: readonly Item[], end: number): number => {
  const [small, word] = [itemAt(items, end), itemAt(items, end + 1)];
  const from = /^(?:from|at|de|do|da|von|aus|du)$/.test(small.low);
  const origin = word.k === "word" && /^\p{Ll}{3,}$/u.test(word.text);
  if (from && origin && !word.skip) return end + 2;
  // German writes its nouns with capitals, and an article before them.
  const noun = itemAt(items, end + 2);
  const german = /^(?:aus|von)$/.test(small.low) && /^(?:der|dem)$/.test(word.low) && noun.k === "word";
  return german && !noun.skip ? end + 3 : end;
};

/** "my Kraken deposit", "our cold storage", "the treasury": what is owned, up to the next small word. */
const ownedEnd = (items: readonly Item[], at: number): number => {
  let next = at;
  while (next < at + LABEL_MAX) {
    const item = itemAt(items, next);
    const holder = item.k === "noise" && next > at && HOLDERS.test(item.low);
    if (item.skip || item.v === "nft" || !(isOne(item, PLAIN) || isTitle(item) || holder)) break;
    next += 1;
  }
  return next;
};

const AMOUNTS = kinds("num,all,share,scale");
const isAmount = (item: Item): boolean => isOne(item, AMOUNTS) || item.v === "$";

const isPossessive = (item: Item): boolean => item.k === "my" && !item.skip;

/** Money words after "my" make a holding, not a person: "my rewards", "my position", "my USDC". */
const HOLDINGS = kinds("class,asset,fee");

type Label = { readonly from: number; readonly to: number };

const ownedAt = (items: readonly Item[], at: number): Label | null => {
  const first = itemAt(items, at + 1);
  if (isOne(first, HOLDINGS) && !TITLE.test(first.text)) return null;
  const to = ownedEnd(items, at + 1);
  const told = items
    .slice(at + 1, to)
    .some((item) => item.k === "word" || item.k === "venue" || item.k === "balance");
  // "my Compound position" is held somewhere; it is not a party.
  const held =
    itemAt(items, to - 1).k === "class" && items.slice(at + 1, to).some((item) => item.k === "venue");
  const onlyPlaces = items.slice(at + 1, to).every((item) => item.k === "venue");
  return to > at + 1 && told && !held && !onlyPlaces ? { from: at, to } : null;
};

const namedAt = (items: readonly Item[], at: number, pays: boolean): Label | null => {
  const to = titlesEnd(items, at);
  const [first, after] = [itemAt(items, at), itemAt(items, to)];
  if ((first.k === "verb" && !FIRST_NAMES.test(first.low)) || (first.k === "bound" && isAmount(after)))
    return null;
  if (!items.slice(at, to).some((item) => isName(item, pays))) return null;
  return { from: at, to: withOrigin(items, to) };
};

/** The label that begins where a party is expected. */
const labelAt = (items: readonly Item[], at: number, pays: boolean): Label | null => {
  const item = itemAt(items, at);
  if (item.skip || item.slot === "note") return null;
  if (isPossessive(item)) return ownedAt(items, at);
  const article = item.k === "noise" && ARTICLES.test(item.low);
  if (!article) return namedAt(items, at, pays);
  const to = ownedEnd(items, at + 1);
  return to > at + 1 && items.slice(at + 1, to).some((one) => one.k === "word" && one.symbol === null)
    ? { from: at + 1, to }
    : null;
};

const ARROW = /^(?:->|-->|=>|>>|→|➡|⇒|➔|⟶)$/;

const isPay = (item: Item): boolean => item.k === "verb" && item.mark?.acts[0] === "transfer";

/** After these a party may follow: "to", an arrow, a field for the recipient. */
const expectsSomebody = (item: Item): boolean =>
  isPrep(item, /^(?:to|between)$/) || (item.k === "key" && item.v === "to");

const HEADING = /^[:=#]$/;
const COUNTABLE = kinds("asset,class,collection,balance,nftid,id");

/** Behind a label comes an amount, a place or an end; a colon makes it a heading, and a token its owner's: "my last USDC". */
const closesLabel = (items: readonly Item[], cue: Item, at: number): boolean => {
  const item = itemAt(items, at);
  // "settle up with Tom: 45 USDC" names the payee before the colon; elsewhere a colon makes a heading.
  if ((HEADING.test(item.v) && !cue.low.endsWith(" with")) || item.k === "id") return false;
  if (isPay(cue)) return !isOne(item, COUNTABLE);
  return !isPrep(cue, /^for$/) || !isOne(item, PLAIN);
};

const ENDS = kinds("end,line,stop");

/** "-> mum": one small word, and nothing behind it. */
const lonelyAt = (items: readonly Item[], at: number): Label | null => {
  const item = itemAt(items, at);
  const alone = item.k === "word" && item.symbol === null && !item.skip;
  return alone && isOne(itemAt(items, at + 1), ENDS) ? { from: at, to: at + 1 } : null;
};

const LETTING =
  /^(?:let|letting|allow|allowing|permit|permitting|enable|enabling|authori[sz]e|authori[sz]ing)$/;

const isLink = (item: Item): boolean => item.k === "and" || item.v === "," || item.v === ";";

/** After a party, or after what a party gets, a comma or "and" may bring the next one. */
const isListed = (items: readonly Item[], at: number): boolean => {
  const before = itemAt(items, isLink(itemAt(items, at - 1)) ? at - 2 : at - 1);
  return isLink(itemAt(items, at)) && (before.k === "contact" || before.k === "asset" || before.skip);
};

/** "pay the caterer 725 USDC and the cleaning crew 240 USDC". */
const crewAt = (items: readonly Item[], at: number): Label | null => {
  const label = labelAt(items, at, true);
  return label !== null && isAmount(itemAt(items, label.to)) ? label : null;
};

/** "Ann, Bob and Li Wei"; "Alice 10 USDC, Bob 20 USDC". */
const listedAt = (items: readonly Item[], at: number, pays: boolean): Label | null => {
  const label = pays ? namedAt(items, at + 1, pays) : null;
  if (label === null) return pays ? crewAt(items, at + 1) : null;
  const after = itemAt(items, label.to);
  if (isAmount(after)) return label;
  const chained = itemAt(items, at - 1).k === "contact" || itemAt(items, at - 1).skip;
  return chained && (isLink(after) || isOne(after, ENDS) || after.k === "each" || after.k === "evenly")
    ? label
    : null;
};

/** "for Sarah" may be whom it is for; "for my rent" and "for Ann's birthday" are what for. */
const meantAt = (items: readonly Item[], at: number, pays: boolean): Label | null => {
  const label = namedAt(items, at, pays);
  return label !== null && items.slice(label.from, label.to).some((item) => item.possessive) ? null : label;
};

const calledAfter = (items: readonly Item[], at: number, pays: boolean): Label | null => {
  const cue = itemAt(items, at);
  const found = isPrep(cue, /^for$/)
    ? meantAt(items, at + 1, pays)
    : expectsSomebody(cue) || isPay(cue)
      ? labelAt(items, at + 1, pays)
      : null;
  return found !== null && closesLabel(items, cue, found.to) ? found : null;
};

const labelAfter = (items: readonly Item[], at: number, pays: boolean): Label | null => {
  const cue = itemAt(items, at);
  if (cue.skip) return null;
  if (ARROW.test(cue.low)) return labelAt(items, at + 1, pays) ?? lonelyAt(items, at + 1);
  if (cue.k === "verb" && LETTING.test(cue.low)) return namedAt(items, at + 1, true);
  if (isListed(items, at)) return listedAt(items, at, pays);
  if (isPrep(cue, /^into$/)) return pays ? namedAt(items, at + 1, pays) : null;
  return calledAfter(items, at, pays);
};

export const join = (items: Item[], { from, to }: Label, text: string): void => {
  const [first, last] = [itemAt(items, from), itemAt(items, to - 1)];
  const said = text.slice(first.start, last.end).replace(/'s$/, "");
  items[from] = { ...first, k: "contact", v: said, text: said, end: last.end, symbol: null };
  for (let at = from + 1; at < to; at += 1) {
    const item = itemAt(items, at);
    item.k = "word";
    item.skip = true;
    item.slot = "to";
  }
};

const TRANSFER: Mark = { k: "verb", v: "transfer", acts: ["transfer"], flags: [] };
const RECEIVES =
  /^(?:gets?|receives?|getting|receiving|recibe|reciba|recibir|recebe|receba|receber|recoit|recevoir|recoive|bekommt|bekommen|erhalt|erhalten|kriegt|收到|得到|collects?)$/;
const SOMEBODY = kinds("addr,name,contact");
const PASSED = kinds("noise,my,bound");

const isSkipped = (item: Item): boolean => item.skip || item.low === "who" || item.low === "that";

/** The party before a verb: over small words, back to the last sign or full stop. */
const subjectOf = (items: Item[], at: number): number => {
  let back = at - 1;
  while (back > at - 6 && (isOne(items[back], PASSED) || isSkipped(itemAt(items, back)))) back -= 1;
  return back;
};

const namedBefore = (items: readonly Item[], last: number): Label | null => {
  const [owner, owned] = [itemAt(items, last - 1), itemAt(items, last)];
  const article = owner.k === "noise" && ARTICLES.test(owner.low);
  if ((owned.k === "word" || owned.k === "balance") && (article || isPossessive(owner)))
    return { from: article ? last : last - 1, to: last + 1 };
  let from = last + 1;
  while (from > last - LABEL_MAX && isTitle(itemAt(items, from - 1))) from -= 1;
  return from <= last && items.slice(from, last + 1).some((item) => isName(item, true))
    ? { from, to: last + 1 }
    : null;
};

const OTHERS = /^(?:he|she|they|el|ella|ele|ela|il|elle|er|他|她)$/;

/** "Marta gets 25 LINK", "0x… should receive 5 ETH": another party that receives is paid. */
const receives = (items: Item[], at: number, text: string): void => {
  const verb = itemAt(items, at);
  if (verb.k !== "verb" || !RECEIVES.test(verb.low.split(" ").at(-1) ?? "")) return;
  if (OTHERS.test(itemAt(items, at - 1).low)) items[at] = { ...verb, v: "transfer", mark: TRANSFER };
  const last = subjectOf(items, at);
  const named = isOne(items[last], SOMEBODY) ? null : namedBefore(items, last);
  if (named !== null) join(items, named, text);
  if (named !== null || isOne(items[last], SOMEBODY)) items[at] = { ...verb, v: "transfer", mark: TRANSFER };
};

const WISHES = /^(?:needs?|wants?|ought|has|is due|is supposed|is meant)$/;

/** Whether only small words are before a party in the sentence. */
const opensSentence = (items: readonly Item[], at: number): boolean => {
  let back = at;
  while (back > at - 8 && back > 0 && !itemAt(items, back).first) {
    back -= 1;
    if (!isOne(items[back], PASSED) && !itemAt(items, back).skip) return false;
  }
  return true;
};

/** "Mira Patel needs to receive 300 DAI". */
const isToReceive = (items: Item[], at: number, text: string): void => {
  const small = itemAt(items, at);
  if (!/^to (?:receive|get|have)$/.test(small.low) || !isAmount(itemAt(items, at + 1))) return;
  const wish = itemAt(items, at - 1);
  const last = subjectOf(items, WISHES.test(wish.low) ? at - 1 : at);
  const named = isOne(items[last], SOMEBODY) ? null : namedBefore(items, last);
  const from = named?.from ?? last;
  if ((named === null && !isOne(items[last], SOMEBODY)) || !opensSentence(items, from)) return;
  if (named !== null) join(items, named, text);
  if (WISHES.test(wish.low)) items[at - 1] = { ...wish, k: "noise", v: "", mark: null };
  items[at] = { ...small, k: "verb", v: "transfer", mark: TRANSFER };
};

const LETS = /^(?:let|lass|deja|deje|deixa|deixe|laisse|laissez)$/;
const HAS = /^(?:have|haben|tener|ter|avoir)$/;

/** "Let 0x… have 150 DAI". */
const lets = (items: Item[], at: number, text: string): void => {
  const verb = itemAt(items, at);
  if (verb.k !== "verb" || !LETS.test(verb.low)) return;
  const exact = isOne(items[at + 1], SOMEBODY);
  const label = exact ? { from: at + 1, to: at + 2 } : labelAt(items, at + 1, true);
  if (label === null || !HAS.test(itemAt(items, label.to).low) || !isAmount(itemAt(items, label.to + 1)))
    return;
  if (!exact) join(items, label, text);
  items[at] = { ...verb, v: "transfer", mark: TRANSFER };
};

/** "lend Tom 45 USDC" and "repay Tom 45 USDC" pay a person; at a venue they would be something else. */
const mayPay = ({ mark }: Item): boolean =>
  mark?.acts.some((act) => act === "transfer" || act === "supply" || act === "repay") === true;

const WALLETS =
  /^(?:wallet|account|address|safe|cartera|billetera|cuenta|carteira|conta|portefeuille|compte|konto|brieftasche)$/;

/** "drop 45 USDC on Tom", "put 45 USDC in Tom's wallet": whom it is for, said as a place. */
const placed = (items: Item[], at: number, text: string): void => {
  const cue = itemAt(items, at);
  const behind = itemAt(items, at - 1).k === "asset" && !cue.skip;
  const upon = isPrep(cue, /^on$/) && /^(?:on|at)$/.test(cue.low);
  if (!behind || !(upon || isPrep(cue, /^(?:in|into)$/))) return;
  const label = namedAt(items, at + 1, true);
  if (label === null) return;
  const owned = itemAt(items, label.to - 1).possessive && WALLETS.test(itemAt(items, label.to).low);
  const held = WALLETS.test(itemAt(items, label.to - 1).low);
  if (!upon && !owned && !held) return;
  items[at] = { ...cue, v: "to", low: "to" };
  join(items, label, text);
};

/** "zap Li Wei 50 USDC": a verb that may mean a payment, with a party and an amount after it, means one. */
const hands = (items: Item[], at: number, text: string): void => {
  const verb = itemAt(items, at);
  if (verb.k !== "verb" || isPay(verb) || !mayPay(verb)) return;
  const label = isOne(items[at + 1], SOMEBODY) ? { from: at + 1, to: at + 2 } : namedAt(items, at + 1, true);
  if (label === null) return;
  const article = itemAt(items, label.to).k === "noise" ? 1 : 0;
  if (!isAmount(itemAt(items, label.to + article))) return;
  if (!isOne(items[at + 1], SOMEBODY)) join(items, label, text);
  items[at] = { ...verb, v: "transfer", mark: TRANSFER };
};

/** Joins labels where a party is expected, and turns "gets" with another's name before it into a payment. */
export const takeContacts = (items: Item[], text: string): void => {
  // Without any verb, an arrow or "to" with a party after it pays.
  let pays = true;
  for (let at = 0; at < items.length; at += 1) {
    const { k, mark } = itemAt(items, at);
    if (k === "verb" && mark !== null && mark.acts.length > 0) {
      pays = mark.acts.includes("transfer") || mark.flags.includes("receives");
    }
    if (pays) placed(items, at, text);
    const label = labelAfter(items, at, pays);
    if (label !== null) join(items, label, text);
    receives(items, at, text);
    isToReceive(items, at, text);
    lets(items, at, text);
    hands(items, at, text);
  }
};
