/** The sentence that the fields of a form ask for. */
import { decimal, sameDecimal, toWhole } from "../numbers.ts";
import { verbs, type Grammar, type Verb } from "./grammar.ts";
import type { FieldName } from "./lexicon/fields.ts";
import { say, type Part } from "./parts.ts";
import type { Money, Token } from "./tokens.ts";

type Of<Kind extends Token["kind"]> = Extract<Token, { kind: Kind }>;
export type Field = { readonly name: FieldName; readonly value: readonly Token[] };

const of = <Kind extends Token["kind"]>(tokens: readonly Token[], kind: Kind): readonly Of<Kind>[] =>
  tokens.filter((token): token is Of<Kind> => token.kind === kind);

/** "approve", "USDC transfer". */
export function verbOf(value: readonly Token[], grammar: Grammar): Verb | null {
  const said = value.filter(({ kind }) => kind !== "asset" && kind !== "mark");
  const isVerb = (verb: Verb): boolean => grammar.phraseAt(said, 0, [verb]) === said.length;
  if (said.length === 0) return null;
  if (grammar.phraseAt(said, 0, ["allowance"]) === said.length) return "approve";
  return verbs.find(isVerb) ?? (grammar.phraseAt(said, 0, ["request"]) === said.length ? "pay" : null);
}

type Filled = {
  readonly verb: Verb | null;
  readonly money: Money | null;
  readonly least: Money | null;
  readonly asset: Of<"asset"> | null;
  readonly address: Of<"address"> | null;
  readonly chain: Of<"chain"> | null;
  readonly venue: Of<"venue"> | null;
  readonly fee: Of<"rate"> | null;
  readonly isZero: boolean;
  readonly isSpender: boolean;
};

/** Null if two values differ where a form has one. */
function fill(fields: readonly Field[], grammar: Grammar): Filled | null {
  const values = (...names: readonly FieldName[]): readonly Token[] =>
    fields.flatMap(({ name, value }) => (names.includes(name) ? value : []));
  const all = fields.flatMap(({ name, value }) => (name === "memo" ? [] : value));
  const assets = one(of(values("asset", "action"), "asset"), ({ asset }) => asset);
  const address = one(of(all, "address"), (token) => token.address);
  const chain = one(of(all, "chain"), (token) => String(token.chain));
  const venue = one(of(all, "venue"), (token) => token.venue);
  const targets = one(
    [...of(values("get"), "asset"), ...of(values("get", "least"), "money")],
    ({ asset }) => asset,
  );
  const given = moneyIn(
    values("amount", "give"),
    assets ?? one(of(values("give"), "asset"), ({ asset }) => asset),
  );
  const least = moneyIn(values("least", "get"), targets);
  const fee = one([...of(all, "rate"), ...of(values("fee"), "number").flatMap(feeOf)], ({ text }) => text);
  const verb = one(
    fields.filter(({ name }) => name === "action").map(({ value }) => ({ verb: verbOf(value, grammar) })),
    (token) => token.verb ?? "",
  );
  const found = { assets, address, chain, venue, targets, given, least, fee, verb };
  if (Object.values(found).includes(undefined)) return null;
  return {
    verb: verb?.verb ?? null,
    money: given ?? null,
    least: least ?? null,
    asset: assets ?? null,
    address: address ?? null,
    chain: chain ?? null,
    venue: venue ?? null,
    fee: fee ?? null,
    isSpender: fields.some(({ name }) => name === "spender"),
    isZero: of(values("amount"), "number").some(({ amount }) => amount.digits === 0n),
  };
}

/** The only one, null if there is none, undefined if two differ. */
function one<T>(list: readonly T[], keyOf: (value: T) => string): T | null | undefined {
  const [first, ...more] = list;
  if (first === undefined) return null;
  return more.every((other) => keyOf(other) === keyOf(first)) ? first : undefined;
}

/** Money, or a number of the only asset. */
function moneyIn(
  values: readonly Token[],
  asset: { readonly asset: string } | null | undefined,
): Money | null | undefined {
  const numbers = of(values, "number").filter(({ isExact, amount }) => isExact && amount.digits > 0n);
  const counted = numbers.map((token): Money | null =>
    asset === null || asset === undefined ? null : { ...token, kind: "money", asset: asset.asset },
  );
  const [first, ...more] = [...of(values, "money"), ...counted];
  if (first === undefined) return null;
  if (first === null) return undefined;
  const isSame = (other: Money | null): boolean =>
    other !== null && other.asset === first.asset && sameDecimal(other.amount, first.amount);
  return more.every(isSame) && (asset === null || asset === undefined || asset.asset === first.asset)
    ? first
    : undefined;
}

/** "fee=3000": a pool of Uniswap V3 counts its fee in millionths. */
const POOLS = [100n, 500n, 3000n, 10_000n];
function feeOf(token: Of<"number">): readonly Of<"rate">[] {
  const whole = toWhole(token.amount);
  return whole !== null && POOLS.includes(whole)
    ? [{ ...token, kind: "rate", amount: decimal(whole, 4) }]
    : [];
}

const on = ({ chain }: Filled): readonly Part[] => (chain === null ? [] : say` on ${chain}`);

type Phrase = (form: Filled) => readonly Part[] | null;

const swap: Phrase = (form) => {
  const { money, least, venue, address, fee } = form;
  if (money === null || least === null || venue === null || money.asset === least.asset) return null;
  const to = address === null ? [] : say` to ${address}`;
  const pool = fee === null ? [] : say` using the ${fee} pool`;
  return say`Swap ${money} for at least ${least} on ${venue}${to}${pool}${on(form)}.`;
};

const wrap =
  (act: "Wrap" | "Unwrap", asset: string): Phrase =>
  (form) =>
    form.address !== null || form.money?.asset !== asset ? null : say`${act} ${form.money}${on(form)}.`;

const revoke: Phrase = (form) =>
  form.asset === null || form.money !== null || form.address === null
    ? null
    : say`Revoke the allowance of ${form.address} for ${form.asset}${on(form)}.`;

const approve: Phrase = (form) =>
  form.money === null || form.address === null || form.isZero
    ? null
    : say`Approve ${form.address} to spend ${form.money}${on(form)}.`;

const pay: Phrase = (form) =>
  form.money === null || form.address === null || form.isZero || form.isSpender
    ? null
    : say`Send ${form.money} to ${form.address}${on(form)}.`;

const phrases: Readonly<Record<Verb, Phrase>> = {
  ...{ pay, approve, revoke, convert: swap, buy: swap },
  ...{ wrap: wrap("Wrap", "ETH"), unwrap: wrap("Unwrap", "WETH") },
};

/** The canonical sentence of a form; null if its values differ or do not fit the act. */
export function phraseForm(fields: readonly Field[], grammar: Grammar): readonly Part[] | null {
  const form = fill(fields, grammar);
  if (form === null) return null;
  const verb = form.verb ?? (form.least === null ? "pay" : "convert");
  const isTrade = form.least !== null || form.venue !== null || form.fee !== null;
  return isTrade && phrases[verb] !== swap ? null : phrases[verb](form);
}
