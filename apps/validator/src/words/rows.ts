/** Several payments under one verb: "pay 0xa 10 USDC, 0xb 20 USDC", "10 USDC each to …", "split 100 USDC between …". */
import type { Decimal, PartyRef, Portion, Quantity } from "../intent.ts";
import type { Draft, Filling } from "./drafts.ts";
import type { Event } from "./events.ts";
import { divided } from "./numbers.ts";

type Row = { gives: Portion[]; to: PartyRef[] };

const isMoney = (event: Event): boolean =>
  event.k === "portion" ||
  (event.k === "party" &&
    event.party.kind !== "self" &&
    (event.prep === null || /^(?:to|into|for|between|with|key:to)$/.test(event.prep)));

const isAmount = (event: Event | undefined): boolean =>
  event?.k === "portion" &&
  event.said.quantity !== null &&
  event.said.bound !== "least" &&
  event.said.pronoun !== true;

type Open = { amounts: number; parties: number; partyFirst: boolean };

const opensWithParty = (after: Event | undefined): boolean =>
  after?.k === "portion" && after.prep === null && !after.listed;

/** Whether a money event begins the next payment, given the payment so far and the money event after it. */
const begins = (open: Open, event: Event, after: Event | undefined): boolean => {
  if (open.amounts === 0 || open.parties === 0) return false;
  if (event.k === "party") return !event.aside && (open.partyFirst || opensWithParty(after));
  // "pay A 10 USDC and 5 DAI" goes on; "A 2 ETH; also 0.5 ETH to C" starts over.
  return isAmount(event) && (!open.partyFirst || (after?.k === "party" && after.prep === "to"));
};

/** Payments are rows when portions and parties alternate more than once. */
export const toRows = (events: readonly Event[]): readonly (readonly Event[])[] => {
  const money = events.filter(isMoney);
  const parties = money.filter((event) => event.k === "party" && !event.aside);
  if (money.filter(isAmount).length < 2 || parties.length < 2) return [events];
  const rows: Event[][] = [[]];
  let open: Open = {
    amounts: 0,
    parties: 0,
    partyFirst: money.find((one) => one.k === "party" || isAmount(one))?.k === "party",
  };
  let at = 0;
  for (const event of events) {
    if (isMoney(event)) {
      at += 1;
      if (begins(open, event, money[at])) {
        rows.push([]);
        open = { amounts: 0, parties: 0, partyFirst: event.k === "party" };
      }
      open.amounts += Number(isAmount(event));
      open.parties += Number(event.k === "party");
    }
    rows.at(-1)?.push(event);
  }
  return rows;
};

const dividedQuantity = (quantity: Quantity | null, by: bigint): Quantity | null => {
  if (quantity === null) return null;
  const part = (n: Decimal): Decimal => divided(n, by);
  if (quantity.kind === "exact")
    return { ...quantity, n: part(quantity.n), others: quantity.others.map(part) };
  if (quantity.kind === "fiat") return { ...quantity, n: part(quantity.n) };
  if (quantity.kind === "share") return { ...quantity, bps: quantity.bps / by };
  if (quantity.kind === "all")
    return { kind: "share", bps: 10_000n / by, of: "balance", span: quantity.span };
  if (quantity.kind === "raw") return { ...quantity, n: quantity.n / by };
  return quantity;
};

const rowsOf = (draft: Draft, sharing: "each" | "evenly" | null): Row[] | null => {
  if (draft.to.length < 2 || sharing === null) return null;
  const by = BigInt(draft.to.length);
  return draft.to.map((party) => ({
    to: [party],
    gives:
      sharing === "each"
        ? draft.gives
        : draft.gives.map((one) => ({ ...one, quantity: dividedQuantity(one.quantity, by) })),
  }));
};

/** Whatever else is done, what it brings goes to one address. */
const isTornBetween = ({ acts, to }: Draft): boolean =>
  acts.includes("transfer") &&
  new Set(to.flatMap((party) => (party.kind === "address" ? [party.address] : []))).size > 1;

/** "revoke the allowances of 0xa and 0xb": each of them loses its own. */
const takesFromSeveral = ({ acts, spender, to }: Draft): boolean =>
  acts[0] === "revoke" &&
  spender?.kind === "address" &&
  to.length > 0 &&
  to.every((party) => party.kind === "address" && party.address !== spender.address);

/** One draft per recipient if the request says how they share; otherwise one draft, with an ambiguity. */
export const spread = (filling: Filling, sharing: "each" | "evenly" | null): Draft[] => {
  const { draft, ambiguities } = filling;
  const pays = draft.acts[0] === "transfer";
  const rows = pays ? rowsOf(draft, sharing) : null;
  if (rows !== null) return rows.map((row) => ({ ...draft, gives: row.gives, to: row.to }));
  if (takesFromSeveral(draft))
    return [draft.spender, ...draft.to].map((spender) => ({ ...draft, spender, to: [] }));
  if (pays ? draft.to.length > 1 : isTornBetween(draft)) {
    const [first, last] = [draft.to[0]?.span[0] ?? 0, draft.to.at(-1)?.span[1] ?? 0];
    ambiguities.push({
      said: "several recipients and one amount",
      readings: ["the amount to each of them", "the amount shared between them", "only one of them is meant"],
      span: [first, last],
    });
  }
  return [draft];
};
