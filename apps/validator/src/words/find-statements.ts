/**
 * Finds sentences that state or ask something instead of asking for it to be done: open questions, verbs in the past, and what
 * another person has to do.
 */
import type { HardToken } from "../intent.ts";
import { tokenAt, type Seen } from "./find-signals.ts";
import type { Item } from "./items.ts";
import { fold } from "./phrases.ts";

/** `text` is the original text, which the items' places refer to. */
export const findStatements = (seen: Seen, items: readonly Item[], text: string): readonly HardToken[] => [
  ...openQuestions(seen),
  ...reports(items, text),
  ...othersDuties(items, text),
];

/** Words by which a question asks for something to be done. */
const POLITE = [
  /\b(?:can|could|would|will) (?:you|u|ya|we|i (?:ask|get|have))\b|\b(?:please|pls|plz|mind|possible|from (?:me|us|my))\b/,
  /\b(?:puedes|podrias|puede|podria|podemos|me ayudas|me haces|me pasas|porfa|por favor)\b/,
  /\b(?:pode|poderia|podes|consegue|me ajuda)\b/,
  /\b(?:peux[- ]tu|pourrais[- ]tu|pouvez[- ]vous|pourriez[- ]vous|tu peux|tu pourrais|vous pouvez|stp|svp|s'il te plait|s'il vous plait|merci de)\b/,
  /\b(?:kannst|konntest|konnten|konnen sie|wurdest|wurden sie|bitte|magst)\b/,
  /能|可以|请|麻烦|帮/,
];

const QUESTION_MAX = 400;

/** A full stop inside a number does not end a sentence. */
const isBoundary = (clean: string, at: number): boolean =>
  /[!?？。！\n]/.test(clean.charAt(at)) || (clean.charAt(at) === "." && !/\S/.test(clean.charAt(at + 1)));

function openQuestions(seen: Seen): readonly HardToken[] {
  const found: HardToken[] = [];
  for (const { index } of seen.clean.matchAll(/[?？]/g)) {
    let start = index;
    while (start > 0 && index - start < QUESTION_MAX && !isBoundary(seen.clean, start - 1)) start -= 1;
    const sentence = fold(seen.clean.slice(start, index));
    if (/\p{L}/u.test(sentence) && !POLITE.some((polite) => polite.test(sentence)))
      found.push(tokenAt(seen, start, index + 1));
  }
  return found;
}

const PAST = /^(?:\p{L}{2,}(?<!e)ed|sent|paid|sold|bought|lent|gave|took|shot|drew|withdrew|threw)$/u;
const PASSIVE = new Set(
  "be been get gets have has having want wants need needs like please pls plz should must see is are kindly can could".split(
    " ",
  ),
);
const ENDS = new Set("stop line end".split(" "));

/** "Unwrapped 3 WETH", "the bookkeeper pulled 260 USDC": a verb in the past reports, unless it is the passive of something wanted. */
function reports(items: readonly Item[], text: string): readonly HardToken[] {
  const sentences: Item[][] = [[]];
  for (const item of items) {
    if (ENDS.has(item.k)) sentences.push([]);
    else sentences.at(-1)?.push(item);
  }
  return sentences.flatMap((sentence) => {
    const past = sentence.findIndex((item) => isAct(item) && isPast(item));
    const item = sentence[past];
    if (item === undefined || sentence.some((one) => isAct(one) && !isPast(one))) return [];
    if (isHeading(item, text)) return [];
    if (sentence.slice(0, past).some(({ low }) => low.split(" ").some((word) => PASSIVE.has(word))))
      return [];
    return [{ kind: "condition", text: item.text, span: [item.start, item.end], slot: null }];
  });
}

/** "Paid by Safe 0x…:" names who acts. */
const isHeading = ({ low, end }: Item, text: string): boolean =>
  low.endsWith(" by") || /^\s+by\b/i.test(text.slice(end, end + 4));

const isAct = ({ k, mark }: Item): boolean => k === "verb" && (mark?.acts.length ?? 0) > 0;
const isPast = ({ low }: Item): boolean => PAST.test(low.split(" ")[0] ?? "");

/** Third-person forms of "have to", "will" and "should" by language, each before the act; German has the verb at the end. */
const DUTY =
  /(?<subject>\p{L}+)\s+(?:should|must|shall|will|would|has to|have to|had to|needs to|need to|ought to|is to|is going to|are going to|is supposed to|promised to|agreed to|offered to|wants to|plans to|tiene que|debe|debera|deberia|va a|tem que|tem de|deve|devera|vai|precisa|doit|devra|va|soll|sollte|muss|wird|will)\s+(?:\p{L}+\s+){0,2}?$/u;
const GERMAN_DUTY = /(?<subject>\p{L}+)\s+(?:soll|sollte|muss|wird)\s[^.!?\n]*$/u;

/** Who may be asked to act: the owner, the agent, and the owner's accounts. */
const OWN = new Set(
  "i we you u it this that which there one safe multisig treasury wallet account vault escrow dao agent bot ich wir du sie yo nosotros usted tesoreria cuenta cartera eu nos voce tesouraria conta carteira je nous on vous tresorerie compte konto kasse se que and y e et und who".split(
    " ",
  ),
);

/** Verbs whose subject receives, or whose subject is what moves. */
const RECEIVES =
  /^(?:get|receive|have|be|go|land|arrive|end up|belong|earn|collect|recibir|recoger|llegar|ir|receber|chegar|recevoir|toucher|arriver|aller|bekommen|erhalten|gehen|kriegen)\b/;

const SENTENCE_MAX = 200;

/** "Bea should pay me back 18 USDC": an act of another person is not asked of the agent. */
function othersDuties(items: readonly Item[], text: string): readonly HardToken[] {
  return items.flatMap((item) => {
    if (!isAct(item) || isPast(item) || RECEIVES.test(item.low)) return [];
    const before = fold(sentenceBefore(text, item.start));
    const { subject } = (DUTY.exec(before) ?? GERMAN_DUTY.exec(before))?.groups ?? {};
    if (subject === undefined || OWN.has(subject) || isMoney(items, item, subject)) return [];
    return [{ kind: "condition", text: item.text, span: [item.start, item.end], slot: null }];
  });
}

function sentenceBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < SENTENCE_MAX && !isBoundary(text, start - 1)) start -= 1;
  return text.slice(start, end);
}

/** "250 USDC should go to Bea": the subject is what is moved, or where. */
const isMoney = (items: readonly Item[], verb: Item, subject: string): boolean =>
  items.some(({ k, low, start }) => start < verb.start && low === subject && MONEY.has(k));
const MONEY = new Set("asset venue chain collection addr num self my".split(" "));
