/**
 * Requests to sign instead of send: a Permit2 limit without a verb, an authorised payment, a permission that mentions
 * a transfer. It runs before the grammar, because "sign" has no meaning of its own and "authorise" has two.
 */
import type { Act } from "../intent.ts";
import { isOne, isPrep, itemAt, kinds, type Item } from "./items.ts";
import type { Mark } from "./phrases.ts";

const markOf = (act: Act): Mark => ({ k: "verb", v: act, acts: [act], flags: [] });

const asVerb = (items: Item[], at: number, act: Act): void => {
  items[at] = { ...itemAt(items, at), k: "verb", v: act, mark: markOf(act), symbol: null };
};
const asNoise = (items: Item[], at: number): void => {
  items[at] = { ...itemAt(items, at), k: "noise", v: "", mark: null, symbol: null, slot: "note" };
};

const GRANTEES = kinds("addr,name,contact,venue");
const MEASURES = kinds("num,unlimited,all");
const hasAct = (item: Item): boolean => item.k === "verb" && (item.mark?.acts.length ?? 0) > 0 && !item.skip;
const isPermit2 = (item: Item): boolean =>
  (item.k === "venue" && item.v === "permit2") || /^permit(?:single|batch)$/.test(item.low);
const isGrantee = (item: Item): boolean => isOne(item, GRANTEES) && !isPermit2(item);

/** Verbs that let go of something, or wish for it: with a limit in Permit2 they permit. */
const LETS =
  /^(?:i |we )?(?:want|need|like|sign|firma|firmar|firme|assine|assinar|signe|signer|signez|unterschreib\p{L}*|签|签署|签 署|给|libera|libere|liberar|release|open|set|give|libere|debloque|frei)\b/u;

const NOUN = /^(?:approvals?|allowances?|permissions?|authori[sz]ation)(?: of| for)?$/;

/** "Permit2: Universal Router, USDC, cap 800": nothing else can be meant by a limit there than a permission. */
const limitThere = (items: Item[]): void => {
  const at = items.findIndex(isPermit2);
  if (at < 0 || !items.some(isGrantee) || !items.some((item) => isOne(item, MEASURES))) return;
  const acts = items.flatMap((item, index) => (hasAct(item) ? [index] : []));
  if (acts.some((index) => !LETS.test(itemAt(items, index).low) && !NOUN.test(itemAt(items, index).low)))
    return;
  const lets = items.findIndex((item) => LETS.test(item.low) && item.k !== "contact");
  if (lets < 0) {
    // The name stands for the verb and stays the way it is done.
    asVerb(items, at, "approve");
    if (itemAt(items, at + 1).v === ":") asNoise(items, at + 1);
    return;
  }
  for (const index of acts) if (index !== lets) asNoise(items, index);
  asVerb(items, lets, "approve");
};

const AUTHORISES =
  /^(?:authori[sz]e[sd]?|authori[sz]ing|authori[sz]ation|autoriza|autorizar|autorice|autorize|autorizacion|autorizacao|autorise|autoriser|autorisation|genehmige|genehmigung|autorisiere|freigabe|授权|授 权|批准)$/;
const PAYMENT =
  /^(?:payments?|transfers?|transfer of|transferencia|transferencia de|transferencias|virement|virement de|transfert|transfert de|uberweisung|uberweisung von|转账|转 账|payment of|pay|paying|payout|x402|pagar|pago|pago de|pagamento|pagamento de|paiement|paiement de|payer|para pagar|pour payer|to pay|to pay for|um zu zahlen|zahlung|zahlung von|zahlen|zu zahlen|支付|支 付|付款|付 款)$/;
const SPENDS =
  /\b(?:spend|spending|pull|draw|take|use|gastar|depenser|ausgeben)\b|allowance|permit|spender|operator/;

/** "authorise a 0.25 USDC payment to 0x…": the payment is what is asked for, authorising it only how. */
const payment = (items: Item[]): void => {
  const at = items.findIndex((item) => AUTHORISES.test(item.low));
  const paid = items.flatMap((item, index) => (PAYMENT.test(item.low) ? [index] : []));
  if (at < 0 || paid.length === 0 || items.some((item) => SPENDS.test(item.low) || item.k === "venue"))
    return;
  const others = items.some((item, index) => hasAct(item) && index !== at && !paid.includes(index));
  const somebody = items.some(
    (item, index) => isPrep(item, /^to$/) && isOne(items[index + 1], kinds("addr,name,contact")),
  );
  if (others || !somebody) return;
  for (const index of paid) asNoise(items, index);
  asVerb(items, at, "transfer");
};

const MAY = /^(?:may|can|could|to|be able to|being able to|able to|allowed to) (?:spend|pull|take|draw|use)/;
const PERMISSION = /^(?:permission|permissions|permit|allowance|approval)\b/;

/** "a one-time transfer permission: 0x… may pull 220 USDC": a permission, carried out as a transfer. */
const transferPermission = (items: Item[], at: number): void => {
  const [item, next] = [itemAt(items, at), itemAt(items, at + 1)];
  if (item.k !== "verb" || !/^transfers?$/.test(item.low) || !PERMISSION.test(next.low)) return;
  asNoise(items, at);
  const may = items.findIndex((one, index) => index > at && MAY.test(one.low));
  if (may > 0) asNoise(items, may);
};

export const takeSigning = (items: Item[]): void => {
  for (let at = 0; at < items.length; at += 1) transferPermission(items, at);
  limitThere(items);
  payment(items);
};
