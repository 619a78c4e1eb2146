/** Sentences that ask for nothing: a report, a headline before a colon, a thank you. Removed before the grammar reads. */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";

import { opensRequest } from "./notes.ts";

type Sentence = { readonly from: number; readonly to: number; readonly colon: boolean };

const ENDS = kinds("stop,line");
const HARD = kinds(
  "num,addr,hex,name,contact,asset,venue,chain,id,unlimited,neg,cond,key,slippage,gas,gaslimit,fee,partial,within,until,date,all,share,class,bound,correct,purpose",
);
const REPEATS = /^(?:repeat|repeats|recur|recurs|happen|happens|run|runs|continue|do|again)$/;
const SUBJECT =
  /^(?:i|we|he|she|they|it|this|that|my|our|his|her|their|the|everyone|someone|somebody|you|it's|that's|who)$/;
const PAST =
  /(?:ed|^sent|^sold|^paid|^bought|^lent|^gave|^took|^got|^split|^drew|^put)(?: (?:back|off|out|over|up|in))?$/;
const NOMINAL = /^(?:refund|payment|reimbursement|payout|donation|gift|tip|reward|settlement)$/;
const SKIPPED = kinds("punct,and,then,but");

const isDash = (item: Item): boolean =>
  item.k === "punct" && (/^[—–]$/.test(item.v) || (item.v === "-" && !item.tight));
const isColon = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).v === ":" && itemAt(items, at).k === "punct";

const sentencesOf = (items: readonly Item[]): Sentence[] => {
  const out: Sentence[] = [];
  let from = 0;
  for (let at = 0; at <= items.length; at += 1) {
    const colon = isColon(items, at);
    const item = itemAt(items, at);
    if (at < items.length && !isOne(item, ENDS) && !colon && !isDash(item) && item.v !== ";") continue;
    if (at > from) out.push({ from, to: at, colon });
    from = at + 1;
  }
  return out;
};

const isAct = (item: Item): boolean => item.k === "verb" && (item.mark?.acts.length ?? 0) > 0;

const within = (items: readonly Item[], { from, to }: Sentence): readonly Item[] =>
  items.slice(from, to).filter((item) => !item.skip);

const GREETING =
  /^(?:so|ok|okay|well|hey|hi|hello|yo|please|pls|and|but|as agreed|btw|by the way|fyi|actually|now|today|gm|again)$/;

/** The first word that is neither a greeting nor a mark. */
const headOf = (said: readonly Item[]): Item | undefined =>
  said.find((item) => !isOne(item, SKIPPED) && !(item.k === "noise" && GREETING.test(item.low)));

/** "settles the invoice in full" measures nothing. */
const isHard = (item: Item): boolean =>
  isOne(item, HARD) && !(item.k === "all" && /^(?:in full|fully|completely)$/.test(item.low));

/** "Tom needs help." */
const isNeedy = (said: readonly Item[], head: Item): boolean =>
  head.k === "word" &&
  /^\p{Lu}/u.test(head.text) &&
  said[said.indexOf(head) + 1]?.mark?.flags.includes("want") === true;

/** "We split the airbnb", "he asked for it": a person and what they did, with nothing in it that moves. */
const isStatement = (said: readonly Item[]): boolean => {
  const head = headOf(said);
  if (head === undefined || !(SUBJECT.test(head.low) || isNeedy(said, head))) return false;
  const acts = said.filter(isAct);
  const sends =
    acts.some((item) => !PAST.test(item.low)) && said.some((item) => isPrep(item, /^(?:to|into)$/));
  const repeats =
    said.some((item) => item.k === "later") && said.some((item) => isAct(item) || REPEATS.test(item.low));
  return !sends && !repeats;
};

const PLAIN_MIN = 3;

/** "Markets look shaky, I would rather hold WETH": an asset named in passing, in a sentence that asks for nothing. */
const isOpinion = (said: readonly Item[]): boolean =>
  said.every((item) => !isHard(item) || item.k === "asset") &&
  !said.some((item) => item.k === "verb") &&
  said.filter((item) => item.k === "word").length >= PLAIN_MIN;

/** "Payday!": one word that some token also bears. */
const isExclamation = (said: readonly Item[]): boolean => {
  const words = said.filter((item) => item.k !== "punct");
  const [only] = words;
  return words.length === 1 && only?.k === "asset" && only.text !== only.text.toUpperCase();
};

const isNominal = (said: readonly Item[]): boolean => {
  const head = headOf(said);
  return head?.k === "verb" && NOMINAL.test(head.low) && said.some((item) => isPrep(item, /^for$/));
};

/** "salaries run tomorrow", "rent is due on monday": when something else happens, which no one is asked to do. */
const isNews = (said: readonly Item[]): boolean => {
  const head = headOf(said.filter((item) => item.k !== "noise" && item.k !== "my"));
  const when = said.findIndex((item) => item.k === "later");
  if (head?.k !== "word" || when < 0 || REPEATS.test(head.low)) return false;
  if (said.some((item) => isAct(item) && !item.low.endsWith("s"))) return false;
  return said
    .slice(said.indexOf(head) + 1, when)
    .some((item) => item.k === "word" || item.k === "verb" || /^(?:is|are)$/.test(item.low));
};

const TOLD = kinds("word,verb");

/** "Ines and I agreed to split the pot": someone did something, and nothing in it is measured or addressed. */
const isTold = (said: readonly Item[]): boolean => {
  const done = said.findIndex((item) => isOne(item, TOLD) && PAST.test(item.low));
  if (done < 1 || said.some(isHard)) return false;
  return !said.slice(0, done).some((item) => item.k === "verb");
};

const isChatter = (said: readonly Item[]): boolean => {
  if (isExclamation(said) || isOpinion(said)) return true;
  if (said.some(isHard)) return false;
  return (
    isStatement(said) ||
    isNominal(said) ||
    isNews(said) ||
    !said.some((item) => item.k === "verb" || item.k === "later")
  );
};

const drop = (said: readonly Item[]): void => {
  for (const item of said) {
    item.skip = true;
    item.slot ??= "note";
  }
};

const opensWithVerb = (items: readonly Item[], from: number): boolean => {
  let at = from;
  while (at < from + 6 && isOne(items[at], kinds("noise,line,punct,my"))) at += 1;
  return itemAt(items, at).k === "verb";
};

/** A headline may name the place: "Payroll on Optimism:". */
const SETTING = kinds("class,venue,chain,prep");
const LABELS = kinds("word,vague,later,pronoun,noteword,balance");

/** "Permit2 allowance for 1inch: 80 USDC": here the headline is the request. */
const isPermission = (item: Item): boolean =>
  /^(?:approve|revoke)$/.test(item.mark?.acts[0] ?? "") && !item.low.endsWith("ed");

/** "Settle the contributors: 1 ETH to …": before the colon only the verb counts; before another verb not even that. */
const headline = (items: readonly Item[], sentence: Sentence): void => {
  const said = within(items, sentence);
  if (said.some((item) => isHard(item) && !isOne(item, SETTING))) return;
  const rest = said.filter((item) => !isOne(item, SETTING));
  if (opensWithVerb(items, sentence.to + 1)) {
    if (!said.some((item) => item.mark?.flags.includes("want"))) drop(rest);
    return;
  }
  const head = headOf(said.filter((item) => item.k !== "noise"));
  // "CoW buy order: 1 WETH for …": where nothing behind it says what to do, the headline does.
  const told = items.slice(sentence.to).some((item) => isAct(item) && !item.skip);
  drop(
    rest.filter(
      (item) =>
        isOne(item, LABELS) || (item.k === "verb" && told && head?.k !== "verb" && !isPermission(item)),
    ),
  );
};

/** The part of a sentence behind its last comma may be talk too: "…, we split the airbnb". */
const tails = (items: readonly Item[], sentence: Sentence): void => {
  let to = sentence.to;
  for (let at = sentence.to - 1; at >= sentence.from - 1; at -= 1) {
    if (itemAt(items, at).v !== "," && at >= sentence.from) continue;
    if (at < sentence.from && to === sentence.to) return;
    const said = within(items, { from: at + 1, to, colon: false });
    if (
      said.length > 0 &&
      !said.some(isHard) &&
      (isStatement(said) || isNominal(said) || isNews(said) || isTold(said))
    )
      drop(said);
    to = at;
  }
};

const HEAD_REACH = 24;

/** "my roommate paid the electricity and I need to send him 5 USDC": talk up to where the request opens. */
const heads = (items: readonly Item[], { from, to }: Sentence): void => {
  for (let at = from; at < Math.min(to, from + HEAD_REACH); at += 1) {
    if (!opensRequest(items, at)) continue;
    const said = within(items, { from, to: at, colon: false });
    if (isTold(said)) drop(said);
    return;
  }
};

export const takeAsides = (items: readonly Item[]): void => {
  const sentences = sentencesOf(items);
  for (const sentence of sentences) {
    tails(items, sentence);
    heads(items, sentence);
  }
  if (sentences.length < 2) return;
  const talk = sentences.filter((sentence) => !sentence.colon && isChatter(within(items, sentence)));
  if (talk.length === sentences.length) return;
  for (const sentence of talk) drop(within(items, sentence));
  for (const sentence of sentences) if (sentence.colon) headline(items, sentence);
};
