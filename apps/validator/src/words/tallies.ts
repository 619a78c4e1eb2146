/**
 * Numbers that measure nothing: how many payments or approvals there are, which step of a plan this is, the total of
 * all. Each is left out only if the text confirms it: a count of as many things, a total that is the sum.
 */
import type { Decimal } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import { plus, sameDecimal } from "./numbers.ts";

const asNote = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};
const MEASURED = kinds("asset,scale,fiat,class,collection,unit,percent");

const COUNTED =
  /^(?:payments?|transfers?|payouts?|people|persons|recipients|wallets|addresses|payees|vendors|contributors|calls?|steps?|salaries|wages|salarios|nominas|facturas|invoices|bills|grants|members|employees|contractors|salaires|factures|rechnungen|gehalter|lohne|spenders?|approvals?|allowances?|permissions?|aprobaciones|permisos|aprovacoes|permissoes|autorisations|freigaben|transactions|txs|sends|zahlungen|auszahlungen|uberweisungen|empfanger|pagos|transferencias|envios|pagamentos|destinatarios|paiements|virements|transferts|destinataires|personnes|personas|pessoas|personen|etapes|pasos|passos|schritte|ordres|步|笔|人)$/;
const COUNT_MAX = 2;
export const COUNT_REACH = 60;

const isCount = (items: readonly Item[], at: number): boolean => {
  const [bound, item] = [itemAt(items, at - 1), itemAt(items, at)];
  if (item.k !== "num" || (bound.k === "bound" && bound.v !== "exact")) return false;
  // "ERC-20 transfer": the number of a standard.
  if (item.tight && bound.v === "-") return false;
  return item.read === null || (item.read.plain && item.text.length <= COUNT_MAX);
};

export const numbersIn = (items: readonly Item[], from: number, to: number): number =>
  items.slice(Math.max(0, from), to).filter((one) => one.k === "num").length;

const BUNDLES =
  /^(?:batch|bundle|set|series|group|multicall|multisend|lote|paquete|pacote|lot|paquet|stapel|bundel|paket)$/;

/** "batch of 2", "a bundle of three calls": how many parts there are. */
const bundleOf = (items: Item[], at: number): void => {
  const of = itemAt(items, at + 1);
  if (!BUNDLES.test(itemAt(items, at).low) || !/^(?:of|de|von|aus|com|con)$/.test(of.low)) return;
  if (!isCount(items, at + 2) || isOne(items[at + 3], MEASURED)) return;
  asNote(items, at + 1);
  asNote(items, at + 2);
};

/** "three USDC payments:", "two transfers", "six people": how many there are, each said for itself below. */
const count = (items: Item[], at: number): void => {
  if (!isCount(items, at)) return;
  const noun = itemAt(items, at + 1).k === "asset" || itemAt(items, at + 1).v === "-" ? at + 2 : at + 1;
  if (!COUNTED.test(itemAt(items, noun).low) || isPrep(itemAt(items, noun + 1), /^of$/)) return;
  const behind = Math.max(numbersIn(items, noun, noun + COUNT_REACH), addressesIn(items, noun));
  if (behind < 2 && numbersIn(items, at - COUNT_REACH, at) < 2) return;
  asNote(items, at);
  if (!isRequest(itemAt(items, noun), behind)) asNote(items, noun);
};

const addressesIn = (items: readonly Item[], from: number): number =>
  items.slice(from, from + COUNT_REACH).filter((one) => one.k === "addr").length;

/** "two transfers: …" still asks for them; a permission always does. */
const isRequest = ({ k, mark }: Item, behind: number): boolean =>
  k === "verb" && (behind >= 2 || /^(?:approve|revoke)$/.test(mark?.acts[0] ?? ""));

const PROGRESS =
  /^(?:task|step|part|leg|phase|stage|tranche|job|run|subtask|instruction|paso|parte|etapa|tarea|tarefa|etape|partie|tache|schritt|teil|aufgabe|步 骤|任 务|第)$/;
const OF = /^(?:of|out of|de|von|sur|do|du|\/|共)$/;

/** "step 3 of 5", "part 3/5", "Task 3:": which part of a plan it is. */
const progress = (items: Item[], at: number): void => {
  if (!PROGRESS.test(itemAt(items, at).low) || itemAt(items, at + 1).k !== "num") return;
  const of = OF.test(itemAt(items, at + 2).low || itemAt(items, at + 2).v);
  const to = of && itemAt(items, at + 3).k === "num" ? at + 3 : at + 1;
  if (isOne(items[to + 1], MEASURED)) return;
  for (let index = at; index <= to; index += 1) asNote(items, index);
};

const TOTAL =
  /^(?:total|totals|total of|total is|in total|sum|altogether|combined|en total|total de|no total|ao todo|au total|insgesamt|gesamt|summe|zusammen|合 计|总 计|总 共|一 共|共|共 计)(?: [:=])?$/;

const TOTALS_MAX = 4;

const amountAt = (items: readonly Item[], at: number): Decimal | null => {
  const { k, read } = itemAt(items, at);
  return k === "num" && read !== null && read.others.length === 0 && itemAt(items, at + 1).k === "asset"
    ? read.n
    : null;
};

/** "Total 13,150 USDC": if it is the sum of all amounts of the same asset. */
const total = (items: Item[], at: number): void => {
  let from = at + 1;
  while (from < at + 4 && /^[:=]$|^(?:is|of|de|von)$/.test(itemAt(items, from).v || itemAt(items, from).low))
    from += 1;
  const said = amountAt(items, from);
  const asset = itemAt(items, from + 1);
  if (said === null) return;
  const parts = items.flatMap((item, index) =>
    index !== from && itemAt(items, index + 1).v === asset.v ? (amountAt(items, index) ?? []) : [],
  );
  const [first, ...more] = parts;
  if (first === undefined || more.length === 0 || !sameDecimal(more.reduce(plus, first), said)) return;
  for (let index = at; index <= from + 1; index += 1) asNote(items, index);
};

export const takeTallies = (items: Item[]): void => {
  let totals = 0;
  for (let at = 0; at < items.length; at += 1) {
    count(items, at);
    bundleOf(items, at);
    progress(items, at);
    if (TOTAL.test(itemAt(items, at).low) && totals < TOTALS_MAX) {
      totals += 1;
      total(items, at);
    }
  }
};
