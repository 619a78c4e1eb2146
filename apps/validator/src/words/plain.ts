/**
 * An alternative reading of the same text: payments and nothing else. The grammar asks what every word does; here
 * only the hard words count. Amounts and addresses must alternate, each has its part, and anything that could refuse,
 * wait, bound, trade, permit or reverse the direction leaves no such reading. The ordinary words between them (a
 * greeting, a reason, a job, an unknown verb) demand nothing. A payee is only ever an address, a name or a label of
 * the caller's.
 */
import type { PartyRef, Portion, Span } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { newDraft, type Draft } from "./drafts.ts";
import { namedParty } from "./ens.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { isLabel } from "./labels.ts";
import { portionAt } from "./portions.ts";

/** None of these may be anywhere in the text. */
const NEVER = kinds(
  "neg,cond,correct,later,within,until,date,share,all,unlimited,vague,slippage,gas,gaslimit,partial,fee,tier,hex,collection,id,nftid,percent,bps,wei,fiat,venue,keep,but,unit,each,evenly,worth,balance",
);
const KEYS = /^(?:to|amount|token|chain|from|verb|note)$/;

/** A party that is asked for money pays it. */
const TURNS =
  /^(?:charge|charges|bill|debit|collect|collects|request|requests|invoices?|ask|demand|claim|owes?|owed|cobra|cobrar|cobre|reclama|reclame|fordere|fordern|einziehen|encaisse|encaisser|收|收 取|要|索 要)$/;
const ONESELF =
  /^(?:me|us|mir|uns|mich|moi|nous|mi|mim|myself|to me|my wallet|my account|my address|我|给 我)$/;
const SIGNS = /^(?:authori[sz]\p{L}*|approved|autori[sz]\p{L}*|genehmig\p{L}*|sign\p{L}*|firm\p{L}*)$/u;
const SPENDS =
  /^(?:allowance|allowances|approvals?|permit|permits|permission|spend\p{L}*|pull|draw|spender|operator)$/u;
const RECEIVES = /^(?:gets|receives|recibe|recebe|recoit|bekommt|erhalt|kriegt)$/;

const actsOf = (item: Item): readonly string[] => (item.k === "verb" ? (item.mark?.acts ?? []) : []);
const isPaying = (item: Item): boolean =>
  RECEIVES.test(item.low) ||
  (actsOf(item).includes("transfer") && item.mark?.flags.some((flag) => /gets|want/.test(flag)) === false);

/** A verb of anything but paying, or a word that makes the other side pay. */
const isForeign = (item: Item, pays: boolean): boolean => {
  if (TURNS.test(item.low) || ONESELF.test(item.low) || SPENDS.test(item.low)) return true;
  if (item.k === "key") return !KEYS.test(item.v);
  if (item.k === "bound" || item.k === "after") return item.v !== "exact";
  return actsOf(item).length > 0 && !isPaying(item) && !(pays && SIGNS.test(item.low));
};

const PARTIES = kinds("addr,name");
const isSomebody = (item: Item): boolean => isOne(item, PARTIES) || isLabel(item);

const partyOf = (item: Item): PartyRef => {
  const span: Span = [item.start, item.end];
  if (item.k === "addr") return { kind: "address", address: item.v.toLowerCase() as Address, span };
  return item.k === "name" ? namedParty(item.v, span) : { kind: "contact", label: item.text, span };
};

const SMALL = kinds("noise,my,word,class,punct");
const ACCOUNT =
  /^(?:(?:from |out of )?(?:our |the |my |this )?(?:gnosis )?safe|multi ?-?sig|multisig|safetx|safe tx|多 签|多签|sender)$/;
const BACK = 5;

/** "from our Safe 0x…", "Safe is 0x…", "aus unserer Safe 0x…": the account that pays. */
const isSource = (items: readonly Item[], at: number): boolean => {
  for (let back = at - 1; back >= Math.max(0, at - BACK); back -= 1) {
    const item = itemAt(items, back);
    if (isPrep(item, /^from$/) || (item.k === "key" && item.v === "from") || ACCOUNT.test(item.low))
      return !isPrep(itemAt(items, back - 1), /^(?:to|into)$/);
    if (isPrep(item, /^(?:to|into|of)$/) || !(isOne(item, SMALL) || item.k === "prep")) return false;
  }
  return false;
};

/** "0x… will send 45 USDC": the party before the verb that is not led by "to" acts. */
const isDoer = (items: readonly Item[], at: number): boolean => {
  if (isPrep(itemAt(items, at - 1), /./) || itemAt(items, at - 1).k === "key") return false;
  let next = at + 1;
  while (next < at + 4 && itemAt(items, next).k === "noise") next += 1;
  const verb = itemAt(items, next);
  return isPaying(verb) && !RECEIVES.test(verb.low);
};

type Turn =
  | { readonly k: "amount"; readonly portion: Portion }
  | { readonly k: "party"; readonly party: PartyRef; readonly led: boolean }
  | { readonly k: "from"; readonly party: PartyRef };
type Read = { readonly turns: Turn[]; readonly chains: Set<number> };

const isCounted = ({ asset, quantity }: Portion): boolean =>
  quantity?.kind === "exact" &&
  quantity.others.length === 0 &&
  (asset?.kind === "symbol" || asset?.kind === "address");

const take = (items: readonly Item[], from: number, to: number, slot: string): void => {
  for (const item of items.slice(from, to)) item.slot = slot;
};

type ChainId = (phrase: string) => number | null;

const MEASURES = kinds("num,asset,scale,chain");

const somebodyAt = (items: readonly Item[], at: number, into: Read): number | null => {
  if (isDoer(items, at)) return null;
  const party = partyOf(itemAt(items, at));
  const source = isSource(items, at);
  const led = isPrep(itemAt(items, at - 1), /^(?:to|into)$/) || itemAt(items, at - 1).k === "key";
  into.turns.push(source ? { k: "from", party } : { k: "party", party, led });
  take(items, at, at + 1, source ? "from" : "to");
  return at + 1;
};

/** Reads what begins at a place; null where something there cannot be a part of payments. */
const turnAt = (items: readonly Item[], at: number, into: Read, chainId: ChainId): number | null => {
  const item = itemAt(items, at);
  if (isSomebody(item)) return somebodyAt(items, at, into);
  if (item.k === "chain" && item.symbol === null) {
    const id = chainId(item.low);
    if (id === null) return null;
    into.chains.add(id);
    take(items, at, at + 1, "chain");
    return at + 1;
  }
  if (!isOne(item, MEASURES)) return at + 1;
  const said = portionAt(items, at);
  if (said === null || !isCounted(said)) return null;
  into.turns.push({ k: "amount", portion: { asset: said.asset, quantity: said.quantity } });
  take(items, at, said.next, "gives");
  return said.next;
};

const readTurns = (items: readonly Item[], chainId: ChainId): Read | null => {
  const into: Read = { turns: [], chains: new Set() };
  let at = 0;
  while (at < items.length) {
    const next = itemAt(items, at).k === "key" ? at + 1 : turnAt(items, at, into, chainId);
    if (next === null) return null;
    at = next;
  }
  return into.chains.size > 1 ? null : into;
};

type Row = { readonly portion: Portion; readonly party: PartyRef };

const rowOf = (a: Turn | undefined, b: Turn | undefined): Row | null => {
  if (a?.k === "amount" && b?.k === "party") return { portion: a.portion, party: b.party };
  return a?.k === "party" && b?.k === "amount" ? { portion: b.portion, party: a.party } : null;
};

/** One amount and one party each, always in the same order. */
const rowsOf = (turns: readonly Turn[]): readonly Row[] | null => {
  const money = turns.filter((turn) => turn.k !== "from");
  if (money.length === 0 || money.length % 2 === 1) return null;
  const order = money[0]?.k;
  const rows: Row[] = [];
  for (let at = 0; at < money.length; at += 2) {
    const row = money[at]?.k === order ? rowOf(money[at], money[at + 1]) : null;
    if (row === null) return null;
    rows.push(row);
  }
  return rows;
};

const fromOf = (turns: readonly Turn[]): PartyRef | null | "several" => {
  const from = turns.flatMap((turn) => (turn.k === "from" ? [turn.party] : []));
  const [only, ...more] = from;
  if (more.length > 0) return "several";
  return only ?? null;
};

const PAYOUTS =
  /^(?:payrolls?|payouts?|payments?|salar(?:y|ies)|wages|disbursements?|distribution|reimbursements?|bonus(?:es)?|stipends?|contributors?|team|nominas?|sueldos?|pagos?|folha|salarios?|pagamentos?|paie|salaires?|paiements?|gehalter|lohne|sammelzahlung|zahlungen|batch|lote|lot|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber)$/;
const HEAD = kinds("noise,my,prep,punct,line,addr,name,num,note,noteword");

/** "Payroll from Safe 0x…:" over rows of addresses and amounts: a list that is called what it is for, and nothing else. */
const isPayroll = (items: readonly Item[]): boolean => {
  const colon = items.findIndex((item) => item.v === ":");
  const head = items.slice(0, colon).filter((item) => !isOne(item, HEAD) && !ACCOUNT.test(item.low));
  return colon > 0 && head.length > 0 && head.every(({ low }) => PAYOUTS.test(low));
};

/** The payments a text lists, or null where it can be read as anything else. Slots are written only then. */
export const plainPayments = (all: readonly Item[], chainId: ChainId): Draft[] | null => {
  const items = all.filter((item) => !item.skip);
  const pays = items.some(isPaying);
  if (items.some((item) => isOne(item, NEVER) || isForeign(item, pays))) return null;
  const read = readTurns(items, chainId);
  const rows = read === null ? null : rowsOf(read.turns);
  const from = read === null ? null : fromOf(read.turns);
  if (read === null || rows === null || from === "several") return null;
  const led = read.turns.some((turn) => turn.k === "party" && turn.led);
  if (!pays && !led && (from === null || !isPayroll(items))) return null;
  const span: Span = [itemAt(items, 0).start, itemAt(items, items.length - 1).end];
  const [chain] = read.chains;
  return rows.map(({ portion, party }) => {
    const draft = newDraft(["transfer"], { word: "pay", span }, span);
    draft.gives = [portion];
    draft.to = [party];
    draft.from = from;
    draft.chain = chain === undefined ? null : { value: chain, span };
    return draft;
  });
};
