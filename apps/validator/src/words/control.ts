/**
 * Who controls a Safe, in six languages: owners added, removed or replaced, and how many must sign. Such a request is read as a whole
 * and only where nothing else is in it: every address has its part, every number is the threshold, and no word refuses or waits.
 */
import type { PartyRef, Span } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { newDraft, type Draft } from "./drafts.ts";
import { isShared } from "./accounts.ts";
import { isOne, itemAt, kinds, type Item } from "./items.ts";

const OWNERS =
  /\b(?:co-?)?(?:owners?|signers?|cosigners?|signator(?:y|ies)|firmantes?|cofirmantes?|propietari[oa]s?|signatari[oa]s?|assinantes?|proprietari[oa]s?|donos?|signataires?|proprietaires?|(?:mit)?unterzeichner(?:in)?|eigentumer(?:in)?|mitinhaber|besitzer)\b|签名人|签名者|签署人|所有者|拥有者|持有人/;
const THRESHOLD =
  /\b(?:thresholds?|changethreshold|quorum|(?:required|needed) (?:signatures?|confirmations?|signers?|approvals?)|signature requirement|(?:signatures?|confirmations?|signers?|approvals?)(?: must be| should be| will be| are| is| to be)? (?:required|needed)|(?:require|requires|need|needs|requiring|demand|demands) (?:\d+|two|three|four|five|six) (?:signatures|confirmations|signers|owners|approvals)|(?:firmas|assinaturas|signatures|unterschriften|signaturen) (?:requeridas|necesarias|necessarias|exigidas|requises|necessaires|erforderlich|notig)|umbral|limiar|limite de assinaturas|assinaturas necessarias|firmas requeridas|firmas necesarias|seuil|signatures requises|schwelle|schwellenwert|signaturschwelle|unterschriftenschwelle)\b|门槛|阈值|签名数/;

const VERBS: readonly (readonly [kind: string, said: RegExp])[] = [
  [
    "swap_owner",
    /\b(?:swapowner|replac(?:e|es|ing)|swap|rotate|substitute|reemplaz\w+|sustituy\w+|sustituir|substitu\w+|troque|trocar|troca|remplac\w+|ersetz\w+|tausche|austauschen)\b|替换|更换|换成|换为/,
  ],
  [
    "remove_owner",
    /\b(?:removeowner|remov(?:e|es|ing)|delete|kick|offboard|quit(?:a|ar|e)|elimin(?:a|ar|e)|retir(?:a|ar|e|er)|remov(?:a|er)|exclu(?:a|ir)|supprim(?:e|er|ez)|enlev(?:e|er|ez)|entfern(?:e|en)|streiche)\b|移除|删除|去掉/,
  ],
  [
    "add_owner",
    /\b(?:addownerwiththreshold|add(?:s|ing)?|make(?=.{0,80}\b(?:an?|another) (?:new )?(?:co-?)?(?:owner|signer))|appoint|onboard|anad(?:e|ir|a)|agreg(?:a|ar|ue)|incorpor(?:a|ar)|adicion(?:e|ar|a)|inclu(?:a|ir|i)|acrescent(?:e|ar)|ajout(?:e|er|ez)|hinzu(?:fugen)?|aufnehmen)\b|加为|添加|增加|新增|加入/,
  ],
];

const REFUSED = kinds(
  "neg,cond,correct,name,hex,asset,share,all,unlimited,later,within,until,date,fiat,percent",
);
const PARTIES = kinds("addr,contact");
const SAFE =
  /^(?:(?:gnosis )?safe|(?:our |my |the )?safe|multi ?-?sig(?: wallet)?|multisig|multifirma|多 ?签)$/;
const BEFORE = /(?:predecessor|previous|prev|linked|vorganger|anterior|precedent|前一|前任)/;
const SMALL = kinds("noise,my,prep,punct,self");
const REACH = 4;

const said = (items: readonly Item[]): string =>
  items
    .map(({ low }) => low)
    .join(" ")
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "");

/** Words before an address, back to the last other hard word. */
const leadOf = (items: readonly Item[], at: number): readonly Item[] => {
  let from = at;
  while (from > 0 && at - from < 6 && !isOne(items[from - 1], PARTIES) && itemAt(items, from - 1).k !== "num")
    from -= 1;
  return items.slice(from, at);
};

const isSafe = (items: readonly Item[], at: number): boolean => {
  for (let back = at - 1; back >= Math.max(0, at - REACH); back -= 1) {
    const item = itemAt(items, back);
    if (SAFE.test(item.low)) return true;
    if (!isOne(item, SMALL)) return false;
  }
  return false;
};

const isListed = (items: readonly Item[], at: number): boolean => BEFORE.test(said(leadOf(items, at)));

/** "by 0x…", "durch 0x…", "-> 0x…": the one who comes. */
const comes = (items: readonly Item[], at: number): boolean =>
  /(?:^| )(?:by|with|to|for|into|durch|mit|por|pela|pelo|par|con|com|->|=>|→|换成|换为|替换为|为|成)(?: (?:the|new|signer|owner|a|al|el|la|den|neuen|nouveau|nueva?|nov[oa]))*$/.test(
    said(leadOf(items, at)),
  );

const partyOf = (item: Item): PartyRef => {
  const span: Span = [item.start, item.end];
  return item.k === "addr"
    ? { kind: "address", address: item.v.toLowerCase() as Address, span }
    : { kind: "contact", label: item.text, span };
};

type Asked = { readonly kind: string; readonly party: Item | null; readonly replaced: Item | null };

const ARTICLES =
  /(?: (?:the|our|my|this|el|la|los|las|o|a|os|as|nuestra|nuestro|nossa|nosso|le|les|notre|der|die|das|dem|den|unserer?|unserem))+$/;

/** The account itself may stand behind "of" or "on" without being called a Safe; a shared account's label is one by its name. */
const isPlace = (items: readonly Item[], at: number): boolean =>
  isShared(itemAt(items, at)) ||
  /(?:^| )(?:of|on|in|from|for|de|del|do|da|du|des|von|der|des|auf|at|para|pour|fur)$/.test(
    said(leadOf(items, at)).replace(ARTICLES, ""),
  );

const replacing = (items: readonly Item[], who: readonly number[]): Asked | null => {
  const [a = -1, b = -1, ...more] = who.length > 2 ? who.filter((at) => !isPlace(items, at)) : who;
  if (b < 0 || more.length > 0 || !comes(items, b) || comes(items, a)) return null;
  return { kind: "swap_owner", party: itemAt(items, b), replaced: itemAt(items, a) };
};

/** "nouveau signataire 0x…, seuil 2": said without a verb. */
const NEW =
  /\b(?:new|additional|nuev[oa]|nov[oa]|nouve(?:au|lle)|neuer?n?) (?:co-?)?(?:owner|signer|signatory|firmante|propietari[oa]|signatari[oa]|assinante|proprietari[oa]|signataire|proprietaire|unterzeichner(?:in)?|eigentumer(?:in)?)\b/;

const askedFor = (items: readonly Item[], text: string): Asked | null => {
  const said = OWNERS.test(text) ? VERBS.filter(([, verb]) => verb.test(text)) : [];
  const found = said.length === 0 && NEW.test(text) ? [["add_owner"] as const] : said;
  if (found.length > 1) return null;
  const addresses = items.flatMap((item, at) => (isOne(item, PARTIES) ? [at] : []));
  const others = addresses.filter((at) => !isSafe(items, at) && !isListed(items, at));
  const kind = found[0]?.[0];
  if (kind === undefined || others.length === 0) {
    const places = others.every((at) => isPlace(items, at));
    return THRESHOLD.test(text) && places ? { kind: "change_threshold", party: null, replaced: null } : null;
  }
  return kind === "swap_owner" ? replacing(items, others) : naming(items, others, kind);
};

const naming = (items: readonly Item[], others: readonly number[], kind: string): Asked | null => {
  const who =
    others.length > 1 && others.some((at) => !isPlace(items, at))
      ? others.filter((at) => !isPlace(items, at))
      : others;
  const [only = -1, ...more] = who;
  return only < 0 || more.length > 0 ? null : { kind, party: itemAt(items, only), replaced: null };
};

const NUMBERS = kinds("num");
/** Numbers that only say which list or which count: "2 of 3" names the owners there are behind the "of". */
const isTotal = (items: readonly Item[], at: number): boolean =>
  /^(?:of|de|von|sur|\/|out of)$/.test(itemAt(items, at - 1).low || itemAt(items, at - 1).v) &&
  itemAt(items, at - 2).k === "num";

type Threshold = { readonly value: bigint; readonly span: Span };

/** The one number there is; null where there are two, or where no word says what it counts. */
const thresholdOf = (items: readonly Item[], text: string): Threshold | "none" | null => {
  const numbers = items.flatMap((item, at) => (isOne(item, NUMBERS) && !isTotal(items, at) ? [item] : []));
  const [only, ...more] = numbers;
  if (only === undefined) return "none";
  const digits = only.read === null ? only.v : only.text;
  if (more.length > 0 || !THRESHOLD.test(text) || !/^[1-9][0-9]?$/.test(digits)) return null;
  return { value: BigInt(digits), span: [only.start, only.end] };
};

const isOther = (item: Item): boolean =>
  (isOne(item, REFUSED) && item.low !== "by") || (item.k === "venue" && !SAFE.test(item.low));

const draftOf = (asked: Asked, threshold: Threshold | null, span: Span): Draft => {
  const draft = newDraft(["admin"], { word: asked.kind.replaceAll("_", " "), span }, span);
  draft.admin = {
    kind: asked.kind,
    party: asked.party === null ? null : partyOf(asked.party),
    replaced: asked.replaced === null ? null : partyOf(asked.replaced),
    threshold,
    span,
  };
  return draft;
};

const slotAll = (items: readonly Item[], { party, replaced }: Asked): void => {
  for (const item of items)
    if (item.k !== "addr" || item === party || item === replaced) item.slot ??= "admin";
};

/** The change of control a whole text asks for, or null. Addresses of accounts and lists stay open, for the bytes to answer. */
export const controlOf = (all: readonly Item[]): Draft | null => {
  const items = all.filter((item) => !item.skip);
  const text = said(items);
  if ((!OWNERS.test(text) && !THRESHOLD.test(text)) || items.some(isOther)) return null;
  const asked = askedFor(items, text);
  const threshold = thresholdOf(items, text);
  if (asked === null || threshold === null) return null;
  if (asked.kind === "change_threshold" && threshold === "none") return null;
  const span: Span = [itemAt(items, 0).start, itemAt(items, items.length - 1).end];
  slotAll(items, asked);
  const draft = draftOf(asked, threshold === "none" ? null : threshold, span);
  const account = items.find((item) => isShared(item) && item !== asked.party && item !== asked.replaced);
  return account === undefined ? draft : { ...draft, from: partyOf(account) };
};
