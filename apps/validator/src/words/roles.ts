/**
 * Reads the noun before a name: the Safe that acts, the account of a party, the router of a venue. It runs before the
 * grammar, so that an account that pays is never counted among the payees.
 */
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";

const SOMEBODY = kinds("addr,name,contact");
const SMALL = kinds("noise,my");

const asPrep = (items: Item[], at: number, v: string): void => {
  items[at] = { ...itemAt(items, at), k: "prep", v, low: v, mark: null, symbol: null, slot: "note" };
};
const asNoise = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

/** Accounts that act for several people. */
const ACTING =
  /^(?:(?:our |my |the |this )?(?:gnosis )?safe|(?:the )?multi ?-?sig(?: wallet)?|multisig|multifirma|multiassinatura|多签|多签钱包|多 签|多 签 钱 包)$/;

/** The first thing before a noun that is no small word. */
const beforeOf = (items: readonly Item[], at: number): Item => {
  let back = at - 1;
  while (back > at - 5 && (isOne(items[back], SMALL) || itemAt(items, back).k === "word")) back -= 1;
  return itemAt(items, back);
};

const PAID = /^(?:to|into|for|behalf|between|with)$/;

/** "to the Safe 0x…", "fund Safe 0x…" pay it; elsewhere it is the account that acts. */
const isPaid = (items: readonly Item[], at: number): boolean => {
  const before = beforeOf(items, at);
  if (isPrep(before, PAID) || (before.k === "key" && before.v === "to")) return true;
  return before.k === "verb" && before.mark?.acts[0] === "transfer";
};

const isActing = (item: Item): boolean =>
  ACTING.test(item.low) && item.k !== "verb" && item.k !== "key" && item.k !== "contact" && !item.skip;

/** "Safe 0x… sends", "exec on safe 0x…", "multisig 0x…: pay": whose assets are used. */
const acting = (items: Item[], at: number): void => {
  if (!isActing(itemAt(items, at)) || isPaid(items, at)) return;
  const next = itemAt(items, at + 1);
  const mark = next.k === "punct" && /^[:=]$/.test(next.v) ? 1 : 0;
  if (!isOne(items[at + 1 + mark], SOMEBODY)) return;
  asPrep(items, at, "from");
  const lead = isOne(items[at - 1], SMALL) ? at - 2 : at - 1;
  // "using Safe 0x…", "the transaction of Safe 0x…": two prepositions for one thing.
  if (itemAt(items, lead).k === "prep") asNoise(items, lead);
  if (mark === 1) asNoise(items, at + 1);
};

const HOLDER =
  /(?:^| )(?:account|wallet|address|cuenta|cartera|billetera|wallet|direccion|monedero|conta|carteira|endereco|compte|portefeuille|adresse|konto|wallet|adresse|brieftasche|safe)$/;
const OWNING = /^(?:of|from|de|del|do|da|du|des|von|d')$/;

/** "to the account of Ann", "a la cuenta de 0x…": the account is hers, and she is who receives. */
const isOwning = (item: Item): boolean => item.k === "prep" && (OWNING.test(item.v) || OWNING.test(item.low));

const owned = (items: Item[], at: number): void => {
  const noun = itemAt(items, at);
  if (!HOLDER.test(noun.low) || !isOne(noun, kinds("noise,prep,word")) || !isOwning(itemAt(items, at + 1)))
    return;
  let who = at + 2;
  while (who < at + 4 && (isOne(items[who], SMALL) || itemAt(items, who).k === "word")) who += 1;
  const before = beforeOf(items, at);
  const toward =
    isPrep(noun, /^to$/) || isPrep(before, /^(?:to|into|in|on)$/) || before.mark?.acts[0] === "transfer";
  if (toward && isOne(items[who], SOMEBODY)) asNoise(items, at + 1);
};

const CONTRACT =
  /^(?:router|routeur|enrutador|roteador|contract|contrato|contrat|vertrag|pool|relayer|conduit|proxy|gateway|spender|operator|vault|settlement)$/;

/** "the router of Uniswap V2", "al router de Uniswap", "le contrat d'Aave": the venue's own contract. */
const contractOf = (items: Item[], at: number): void => {
  const [noun, of] = [itemAt(items, at), itemAt(items, at + 1)];
  if (!CONTRACT.test(noun.low) || noun.k === "verb" || noun.k === "key") return;
  const venue = itemAt(items, at + 2).k === "venue" && of.k === "prep" && OWNING.test(of.low);
  if (venue) asNoise(items, at + 1);
  if (venue || of.k === "venue") asNoise(items, at);
};

const DOES = kinds("noise,my");
const STARTS = kinds("end,line,stop,punct,noise,and,then,verb");
const DONE_BY = new Set(["transfer", "approve", "swap", "supply", "stake", "withdraw", "bridge", "wrap"]);

/** Nothing before it gives it another part: no preposition, no verb that pays. */
const opens = (items: readonly Item[], at: number): boolean => {
  const [before, far] = [itemAt(items, at - 1), beforeOf(items, at)];
  if (!isOne(before, STARTS) || isPrep(far, /./) || far.mark?.acts[0] === "transfer") return false;
  return before.k !== "verb" || (before.mark?.acts.length ?? 0) === 0;
};

/** A verb of giving, moving or permitting; one of receiving or wishing makes its subject a payee. */
const isDoing = ({ k, low, mark }: Item): boolean =>
  k === "verb" &&
  DONE_BY.has(mark?.acts[0] ?? "") &&
  !RECEIVES.test(low) &&
  !MAY.test(low) &&
  mark?.flags.some((flag) => /^(?:receives|want|light|arrives|gets)$/.test(flag)) === false;

/** "the Treasury Safe pays Ann", "0x… should approve": the party before a verb that receives nothing acts. */
const subject = (items: Item[], at: number): void => {
  const item = itemAt(items, at);
  if (!isOne(item, SOMEBODY) || item.possessive || !opens(items, at)) return;
  let next = at + 1;
  while (next < at + 6 && (isOne(items[next], DOES) || itemAt(items, next).skip)) next += 1;
  if (!isDoing(itemAt(items, next))) return;
  items.splice(at, 0, {
    ...item,
    k: "prep",
    v: "from",
    text: "",
    low: "from",
    end: item.start,
    mark: null,
    symbol: null,
    slot: "note",
  });
};
const RECEIVES = /^(?:gets?|receives?|is (?:owed|due)|goes|payments?|donation|payout)/;
/** "0x… may spend": a permission, not an act. */
const MAY = /^(?:darf|durfen|may|can|could|to|be|being|able|allowed|access|permission|allowance|approval)\b/;

export const takeRoles = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) {
    if (itemAt(items, at - 1).low !== "from") subject(items, at);
    acting(items, at);
    owned(items, at);
    contractOf(items, at);
  }
};
