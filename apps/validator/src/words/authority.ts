/** Permissions said with everyday verbs: "kill its access", "strip 0x… of the allowance", "need to OK the relayer". Settled before the grammar reads. */
import type { Act } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import type { Mark } from "./phrases.ts";

const REACH = 16;
const ENDS = kinds("stop,line,then,but,end");

/** Verbs of taking away, without their endings. */
const REMOVES = new Set(
  "cancel kill remov drop nuk withdraw disabl pull strip end terminat delet eras yank void lift retract reclaim deny deni cut shut turn switch tak get rid ditch scrap wip clear annul eliminat purg ax clos unset invalidat dismiss fir kick expel detach unlink deauthoriz unauthoriz sever".split(
    " ",
  ),
);

const stemOf = (low: string): string =>
  (low.split(" ")[0] ?? "").replace(/(?:ing|ed|es|s|e)$/, "").replace(/([lptd])\1$/, "$1");

const stems = new Set([...REMOVES].map((word) => word.replace(/([lptd])\1$/, "$1")));

/** "turn on", "get" and "switch to" take nothing away. */
const isRemoval = (items: readonly Item[], at: number): boolean => {
  const item = itemAt(items, at);
  if (REMOVES_ABROAD.test(item.low)) return true;
  if (!stems.has(stemOf(item.low)) || /^(?:the|of|an?)$/.test(itemAt(items, at - 1).low)) return false;
  if (!/^(?:get|turn|switch|shut)/.test(item.low)) return true;
  return / (?:rid|off|down)/.test(item.low) || /^(?:rid|off|down)/.test(itemAt(items, at + 1).low);
};

const PERMISSION =
  /^(?:(?:spending |token |operator |spender )?(?:approvals?|allowances?|permissions?|authori[sz]ations?|rights|privileges?)(?: of| for)?|access(?: to my)?|operators?|spenders?|spending (?:cap|limit|power))$/;
/** The same in the other languages, where verb and permission stand apart: "quítale a 0x… el permiso". */
const REMOVES_ABROAD =
  /^(?:quita|quitar|quite|quitale|quitales|retira|retirar|retire|retirale|elimina|eliminar|anula|anular|suprime|suprimir|cancela|cancelar|cancele|tira|tirar|tire|remova|remover|enleve|enlever|retirer|supprime|supprimer|annule|annuler|entferne|entfernen|losche|loschen|entzieh|entziehe|entziehen|zere|zera|zerar|borra|borrar|efface|effacer|取 消|取消|解 除|解除|移 除|移除|收 回|收回)$/;
const PERMISSION_ABROAD =
  /^(?:l'|d')?(?:permisos?(?: a)?|aprobacion(?:es)?|autorizacion(?:es)?|permissao|permissoes|aprovacao|autorizacao|permission|permissions|autorisations?|approbations?|freigaben?|genehmigung(?:en)?|berechtigung(?:en)?|授 权|授权|权 限|权限)(?: de| para| von)?$/;

const isPermission = ({ low }: Item): boolean => PERMISSION.test(low) || PERMISSION_ABROAD.test(low);
const FRESH = /^(?:new|fresh|another)$/;

const markOf = (act: Act): Mark => ({ k: "verb", v: act, acts: [act], flags: [] });

const closes = (item: Item): boolean => isOne(item, ENDS) || item.v === ";";

const isOtherVerb = (item: Item): boolean =>
  item.k === "verb" && (item.mark?.acts.length ?? 0) > 0 && !isPermission(item);

/** The place of the permission that a verb of removal revokes, or -1. */
const permissionAfter = (items: readonly Item[], at: number): number => {
  for (let next = at + 1; next < at + REACH; next += 1) {
    const item = itemAt(items, next);
    if (closes(item) || item.k === "num" || isOtherVerb(item) || FRESH.test(item.low)) return -1;
    if (item.k === "and" && itemAt(items, next + 1).k === "verb") return -1;
    if (isPermission(item)) return next;
  }
  return -1;
};

const asNoise = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

const asVerb = (items: Item[], at: number, act: Act): void => {
  items[at] = { ...itemAt(items, at), k: "verb", v: act, mark: markOf(act), symbol: null };
};

const REMOVABLE = kinds("verb,word,noise,asset,fee");

const removal = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (!isOne(item, REMOVABLE) || !isRemoval(items, at)) return;
  const noun = permissionAfter(items, at);
  if (noun < 0) return;
  asVerb(items, at, "revoke");
  if (/^(?:rid of|off|off of|down)$/.test(itemAt(items, at + 1).low)) asNoise(items, at + 1);
  roundNoun(items, noun);
};

/** Words next to the permission: "as an operator", "access to my DAI", "the permission of 0x…". */
const roundNoun = (items: Item[], noun: number): void => {
  const said = itemAt(items, noun);
  asNoise(items, noun);
  const before = itemAt(items, noun - 1);
  if (isPrep(before, /^as$/)) asNoise(items, noun - 1);
  else if (isPrep(itemAt(items, noun - 2), /^as$/) && before.k === "noise") asNoise(items, noun - 2);
  const over = itemAt(items, noun + 1);
  if (said.low.endsWith(" of") || isPrep(over, /^of$/)) holder(items, noun + 1);
  else if (over.low === "over" || (said.low === "access" && isPrep(over, /^to$/))) asNoise(items, noun + 1);
};

/** "the permission of 0x… over my USDC": whose it is, and over what. */
const holder = (items: Item[], at: number): void => {
  const from = isPrep(itemAt(items, at), /^of$/) ? at : at - 1;
  for (let next = from + 1; next < from + 6; next += 1) {
    const item = itemAt(items, next);
    if (item.k === "asset" || closes(item)) return;
    if (item.k !== "addr" && item.k !== "name" && item.k !== "venue") continue;
    items[from] = { ...itemAt(items, from), k: "prep", v: "to", low: "to", mark: null };
    const over = itemAt(items, next + 1);
    if (over.low === "over" || isPrep(over, /^on$/)) asNoise(items, next + 1);
    return;
  }
};

const AGREES = /^(?:ok|okay|fine|happy|comfortable|cool|good|alright)$/;
const TAKES =
  /^(?:pulling|taking|spending|using|moving|drawing|withdrawing|debiting|to (?:pull|take|spend|use|move|draw))$/;
const GRANTEES = kinds("addr,name,venue,contact");

/** "I'm okay with the router pulling 990 USDC". */
const agreement = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const link = itemAt(items, at + 1);
  if (!AGREES.test(item.low) || !(isPrep(link, /^(?:with|for)$/) || link.low === "if")) return;
  for (let next = at + 2; next < at + REACH; next += 1) {
    const said = itemAt(items, next);
    if (closes(said) || said.v === "," || said.k === "num") return;
    if (!TAKES.test(said.low)) continue;
    asVerb(items, at, "approve");
    asNoise(items, at + 1);
    asNoise(items, next);
    return;
  }
};

/** "need to OK the relayer 0x… for 0.5 WETH": followed at once by the spender. */
const okay = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (item.k === "verb" || !/^(?:ok|okay)$/.test(item.low)) return;
  const asked = /(?:^| )to$|^please$|^pls$/.test(itemAt(items, at - 1).low);
  let next = at + 1;
  while (next < at + 5 && isOne(items[next], kinds("noise,my"))) next += 1;
  if (asked && isOne(items[next], GRANTEES)) asVerb(items, at, "approve");
};

/** "token USDC spender 0x… max 60": a field without its colon. */
const spenderField = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  const next = itemAt(items, itemAt(items, at + 1).k === "noise" ? at + 2 : at + 1);
  if (item.low !== "spender" || item.k !== "word" || !isOne(next, GRANTEES)) return;
  items[at] = { ...item, k: "key", v: "spender" };
};

const LIMITS =
  /^(?:an? |the |une? |uma? |eine?n? )?(?:limit|cap|budget|ceiling|quota|limite|tope|presupuesto|teto|orcamento|plafond|obergrenze|额度|限额|上限)(?: of| de| von)?$/;
const SETS =
  /^(?:set|sets|setting|give|gives|put|change|lower|raise|reduce|increase|fix|make|update|adjust|grant|assign|pon|poner|fija|fijar|establece|define|defina|da|dale|de|fixe|fixer|mets|mettre|setze|setzen|gib|lege|设置|设定|设|给)$/;

/** Whose limit it is: behind the verb, as an owner, or behind "for". */
const isHolderOf = (items: readonly Item[], at: number, verb: number): boolean => {
  const before = itemAt(items, itemAt(items, at - 1).k === "noise" ? at - 2 : at - 1);
  return (
    isOne(items[at], GRANTEES) &&
    (itemAt(items, at).possessive || at === verb + 1 || isPrep(before, /^(?:for|to|of|on|from)$/))
  );
};

const namesHolder = (items: readonly Item[], verb: number): boolean => {
  for (let at = verb + 1; at < verb + REACH && !closes(itemAt(items, at)); at += 1)
    if (isHolderOf(items, at, verb)) return true;
  return false;
};

const setterBefore = (items: readonly Item[], at: number): number => {
  for (let back = at - 1; back > at - REACH; back -= 1) {
    const item = itemAt(items, back);
    if (closes(item)) return -1;
    if (SETS.test(item.low)) return back;
  }
  return -1;
};

/** "set 0x…'s USDC limit to 25", "give Uniswap a budget of 2 WETH": how much a party may take. */
const limit = (items: Item[], at: number): void => {
  const noun = itemAt(items, at);
  if (noun.k === "verb" || noun.k === "key" || !LIMITS.test(noun.low)) return;
  const verb = setterBefore(items, at);
  if (verb < 0 || !namesHolder(items, verb)) return;
  asVerb(items, verb, "approve");
  asNoise(items, at);
  const link = itemAt(items, at + 1);
  const counted = itemAt(items, at + 2).k === "num";
  if (counted && (isPrep(link, /^(?:to|of|at|on|into)$/) || /^(?:auf|em|en)$/.test(link.low)))
    asNoise(items, at + 1);
};

const CAPS = /^(?:cap|limit|restrict|limita|limite|limiter|begrenze|beschranke|限制)$/;
const CAP_REACH = 5;

/** "cap 0x… at 25 USDC", "limit Uniswap to 2 WETH". */
const capped = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (!CAPS.test(item.low) || item.k === "key" || !isOne(items[at + 1], GRANTEES)) return;
  for (let next = at + 2; next < at + CAP_REACH; next += 1) {
    const link = itemAt(items, next);
    if (closes(link)) return;
    if (!isPrep(link, /^(?:to|on|at|into)$/) || itemAt(items, next + 1).k !== "num") continue;
    asVerb(items, at, "approve");
    asNoise(items, next);
    return;
  }
};

/** "the allowances of 0xa and 0xb": whose they are, whatever is done to them. */
const allowanceOf = (items: Item[], at: number): void => {
  const [noun, of] = [itemAt(items, at), itemAt(items, at + 1)];
  if (noun.k !== "verb" || !isPermission(noun) || !isPrep(of, /^of$/)) return;
  const next = isOne(items[at + 2], kinds("noise,my")) ? at + 3 : at + 2;
  if (isOne(items[next], kinds("addr,name"))) items[at + 1] = { ...of, v: "to", low: "to" };
};

export const takeAuthority = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) {
    removal(items, at);
    agreement(items, at);
    okay(items, at);
    spenderField(items, at);
    limit(items, at);
    capped(items, at);
    allowanceOf(items, at);
  }
};
