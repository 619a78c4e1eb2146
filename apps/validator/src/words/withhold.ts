/**
 * Sentences that speak of a payment and do not ask for it: "hold the 45 USDC payment", "simulate sending", "she sent 45 USDC",
 * "0x… owes me", or ask for one that flows over time ("stream"). Their amounts and addresses are all there, so that every word would fit; only the head of the sentence says no.
 */
import { acts as everyAct, type Act, type Negation, type Span } from "../intent.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";

const WITHHOLDS = new Set(
  [
    "hold withhold delay postpone defer suspend simulate estimate quote preview ignore disregard reject deny check verify reverse recall freeze charge bill debit track trace audit dispute report monitor watch refuse halt dryrun stream streams streaming vest drip",
    "reten retiene retener bloquea bloquear congela congelar simula simular estima estimar ignora ignorar rechaza rechazar verifica verificar comprueba comprobar revisa revisar aplaza aplazar pospon posponer revierte revertir cobra cobrar cotiza",
    "retenha bloqueie congele simule estime ignore rejeite rejeitar verifique confira adie adiar reverta reverter cobre suspenda",
    "retiens bloque bloquer bloquez gele geler simuler simulez estimer ignorez rejette rejeter verifie verifier verifiez reporte reporter differe differer suspends suspendre controle controler",
    "halte blockiere blockieren sperre sperren friere simuliere simulieren schatze ignoriere ignorieren prufe prufen uberprufe uberprufen verzogere stoppe",
  ]
    .join(" ")
    .split(" "),
);
const WITHHOLDS_HAN =
  /^(?:请|帮我|麻烦)?(?:检查|核实|核查|冻结|拒绝|阻止|忽略|模拟|估算|推迟|暂缓|查询|查看|预览|收取)/;
const FAULTY =
  /(?:^| )(?:is|was|looks|seems|es|esta|est|ist|e) (?:a |an |un |una |une |um |ein |eine )?(?:wrong|mistake|fraud|fraudulent|suspicious|scam|incorrect|incorrecto|erroneo|estafa|errado|golpe|faux|fausse|arnaque|falsch|betrug)(?: |$)/;
/** A stream of funds over time is not a payment. */
const FLOWS =
  /(?:^| )(?:a|the|as a|via a|as|una?|uma?|une|einen?) (?:payment |token |sablier |superfluid )?(?:stream|vesting)(?: of| de| von|$)/;
const OWES =
  /(?:^| )(?:owes?|debe|deve|doit|schuldet) (?:me|us|mir|uns)(?: |$)|(?:^| )me (?:debe|deve|doit)(?: |$)/;

const ENDS = kinds("stop,line,end");
const SMALL = kinds("noise,my,punct,self");
const MONEY = kinds("num,share,addr");
const LINKS = kinds("and,then");
const TOLD = /^(?:sent|paid|wired|transferred|gave|forwarded)$/;

type Sentence = readonly Item[];

const sentencesOf = (items: readonly Item[]): Sentence[] => {
  const out: Item[][] = [[]];
  for (const item of items) {
    if (isOne(item, ENDS)) out.push([]);
    else if (!item.skip) out.at(-1)?.push(item);
  }
  return out.filter((one) => one.length > 0);
};

const textOf = (items: readonly Item[]): string => items.map(({ low }) => low).join(" ");

const isDeterminer = ({ k, low }: Item): boolean =>
  k === "my" ||
  /^(?:the|a|an|this|that|his|her|their|el|la|un|una|o|um|uma|le|une|der|die|das|ein|eine)$/.test(low);

/** The first word that is no greeting, and whether a second verb is joined to it: "check and pay" pays. */
const withholds = (said: Sentence): boolean => {
  const at = said.findIndex((item) => !isOne(item, SMALL));
  const [head, next] = [itemAt(said, at), itemAt(said, at + 1)];
  // "our audit is next week", "the bill": a noun.
  if (
    said.slice(0, at).some(isDeterminer) ||
    /^(?:is|was|are|were|ist|es|est|from|no|number|#)$/.test(next.low)
  )
    return false;
  if (isOne(next, LINKS) && itemAt(said, at + 2).k === "verb") return false;
  return WITHHOLDS.has(head.low.split(" ")[0] ?? "") || WITHHOLDS_HAN.test(textOf(said).replaceAll(" ", ""));
};

const isAct = (item: Item): boolean => item.k === "verb" && (item.mark?.acts.length ?? 0) > 0;

/** "my friend sent 45 USDC to 0x…": another party did, and nothing is requested. */
const tells = (said: Sentence): boolean => {
  const acts = said.filter(isAct);
  const [only] = acts;
  if (acts.length !== 1 || only === undefined || !TOLD.test(only.low)) return false;
  const before = itemAt(said, said.indexOf(only) - 1);
  return (
    /^(?:word|contact|addr|name|noise|purpose)$/.test(before.k) &&
    !/^(?:be|is|are|to be|get|have|please)$/.test(before.low)
  );
};

const isRefused = (said: Sentence, asks: boolean): boolean => {
  if (withholds(said) || tells(said)) return true;
  const text = textOf(said);
  return FAULTY.test(text) || FLOWS.test(text) || (OWES.test(text) && !asks);
};

/** "Don't forget: pay Ann" asks for it all the more. */
const URGES = /^(?:forget|wait|worry|hesitate|delay|mind|miss|olvid|esquec|oubli|vergiss|warte)/;

const isColon = (item: Item): boolean => item.v === ":" || item.k === "key";

/** "Last month, from Safe 0x…:", "Balances of …:": what was, and what there is. */
const REPORTS =
  /^(?:balances?|history|records?|reports?|statements?|summary|overview|logs?|(?:last|past|previous) (?:week|month|year|quarter))\b/;
const PAYMENTS =
  /^(?:payrolls?|payments?|payouts?|transfers?|transactions?|nominas?|pagos?|pagamentos?|paiements?|zahlung(?:en)?)$/;
const COUNTED = kinds("asset,scale,fiat,collection");

const isAmount = (items: readonly Item[], at: number): boolean =>
  itemAt(items, at).k === "num" && isOne(items[at + 1], COUNTED);

/** A refusal of paying, or of whatever is to be signed. "No approvals, no swaps: just pay" refuses those alone. */
const isWhole = (next: Item): boolean => {
  if (next.k !== "verb") return next.k === "key" || PAYMENTS.test(next.low);
  const acts = next.mark?.acts ?? [];
  return (acts.length === 0 || acts[0] === "transfer") && !URGES.test(next.low);
};

/** Returns what the head of a list, before its colon and any amount, refuses: everything, or all but reversals. */
const refusedByHead = (said: Sentence): readonly Act[] => {
  const colon = said.findIndex(isColon);
  const head = said.slice(0, colon + 1);
  const [first, next] = head.filter((item) => !isOne(item, SMALL));
  if (colon < 1 || first === undefined || head.some((_, index) => isAmount(head, index))) return [];
  if (REPORTS.test(textOf(head.slice(head.indexOf(first))))) return everyAct;
  if (first.mark?.acts[0] === "cancel") return everyAct.filter((act) => act !== "cancel" && act !== "revoke");
  return first.k === "neg" && next !== undefined && isWhole(next) ? everyAct : [];
};

/** "Do not pay from Safe 0x…:" over a list, "Cancel the trade: deliver …": the clause ends at the colon, and its refusal does not. */
const refusedLists = (items: readonly Item[]): readonly Negation[] =>
  sentencesOf(items).flatMap((said) => {
    const acts = refusedByHead(said);
    const span: Span = [itemAt(said, 0).start, itemAt(items, items.length - 1).end];
    return acts.length === 0 ? [] : [{ kind: "act", acts, span }];
  });

/** Returns what must not happen because the sentence with the amount only mentions it, or its head refuses what follows. */
export const withheld = (items: readonly Item[]): readonly Negation[] => [
  ...refusedLists(items),
  ...spokenOf(items),
];

const spokenOf = (items: readonly Item[]): readonly Negation[] => {
  const asks = items.some(isAct);
  return sentencesOf(items)
    .filter((said) => said.some((item) => isOne(item, MONEY)) && isRefused(said, asks))
    .map((said) => {
      const span: Span = [itemAt(said, 0).start, itemAt(said, said.length - 1).end];
      return { kind: "act", acts: everyAct, span };
    });
};
