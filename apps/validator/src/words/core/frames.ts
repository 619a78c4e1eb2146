/** The acts that can be read from single values, each with the roles that its values must be marked for. */
import { compareDecimals } from "../numbers.ts";
import type { Clause } from "./clauses.ts";
import { verbs, type Class, type Grammar, type Verb } from "./grammar.ts";
import { say, type Part } from "./parts.ts";
import type { Money, Token } from "./tokens.ts";

export type Values = {
  readonly money: readonly Money[];
  readonly address: Of<"address"> | null;
  readonly chain: Of<"chain"> | null;
  readonly venues: readonly Of<"venue">[];
  readonly assets: readonly Of<"asset">[];
  readonly rates: readonly Of<"rate">[];
};
type Of<Kind extends Token["kind"]> = Extract<Token, { kind: Kind }>;

type Sentence = readonly Part[];
type Frame = (values: Values, clauses: readonly Clause[], grammar: Grammar) => Sentence | null;

/** The canonical sentence, or null if the values do not fit the act. */
export const phraseFrame = (
  verb: Verb,
  values: Values,
  clauses: readonly Clause[],
  grammar: Grammar,
): Sentence | null =>
  frames[verb].reduce<Sentence | null>((found, frame) => found ?? frame(values, clauses, grammar), null);

const on = ({ chain }: Values): Sentence => (chain === null ? [] : say` on ${chain}`);

const pay: Frame = (values, clauses, grammar) => {
  const money = onlyMoney(values, clauses, grammar);
  if (money === null || values.address === null || !hasOnly(values, money.asset)) return null;
  if (clauses.some(({ tokens }) => tokens.some((_, at) => grammar.phraseAt(tokens, at, ["allowance"]) > 0)))
    return null;
  if (
    grammar.words !== null &&
    clauses.some(({ tokens }) => tokens.some((_, at) => isOwner(tokens, at, grammar)))
  )
    return null;
  return clauses.every((clause) => isMarked(clause, "address", ["to", ...verbs], grammar)) &&
    !isSource(clauses, grammar)
    ? say`Send ${money} to ${values.address}${on(values)}.`
    : null;
};

/** "From: 0x…" */
const isSource = (clauses: readonly Clause[], grammar: Grammar): boolean =>
  clauses.some(
    ({ tokens, end }, at) =>
      end === "mark" &&
      tokens.some((_, index) => grammar.phraseAt(tokens, index, ["from"]) === tokens.length - index) &&
      clauses[at + 1]?.tokens[0]?.kind === "address",
  );

const approve: Frame = (values, clauses, grammar) => {
  // "Authorise a payment" asks for the payment.
  if (clauses.some(({ tokens }) => tokens.some((_, at) => isPayment(tokens, at, grammar)))) return null;
  const money = onlyMoney(values, clauses, grammar, ["for"]);
  if (money === null || values.address === null || !hasOnly(values, money.asset)) return null;
  return clauses.every((clause) => isMarked(clause, "address", ["to", "for", "spend", ...verbs], grammar))
    ? say`Approve ${values.address} to spend ${money}${on(values)}.`
    : null;
};

/** "给 0x… 的 5 ETH" is a noun. */
const isOwner = (tokens: readonly Token[], at: number, grammar: Grammar): boolean =>
  (tokens[at]?.kind === "address" || tokens[at]?.kind === "money") &&
  grammar.phraseAt(tokens, at + 1, ["of"]) > 0;

const isPayment = (tokens: readonly Token[], at: number, grammar: Grammar): boolean =>
  grammar.phraseAt(tokens, at, ["request"]) > 0 && grammar.phraseAt(tokens, at, ["allowance"]) === 0;

const revoke: Frame = (values, clauses, grammar) => {
  const isNamed = clauses.some(({ tokens }) =>
    tokens.some((_, at) => grammar.phraseAt(tokens, at, ["allowance", "revoked"]) > 0),
  );
  const [asset] = values.assets;
  if (!isNamed || values.money.length > 0 || values.rates.length > 0 || values.address === null) return null;
  if (asset === undefined || values.assets.length > 1 || values.venues.length > 0) return null;
  return say`Revoke the allowance of ${values.address} for ${asset}${on(values)}.`;
};

/** Between ETH and WETH there is one price; both words may name either. */
const wrap =
  (act: "Wrap" | "Unwrap", from: string, to: string, needsTarget: boolean): Frame =>
  (values, clauses, grammar) => {
    const money = onlyMoney(values, clauses, grammar);
    if (
      money?.asset !== from ||
      values.address !== null ||
      values.venues.length > 0 ||
      values.rates.length > 0
    )
      return null;
    const others = values.assets.filter(({ asset }) => asset !== from);
    if (others.some(({ asset }) => asset !== to) || (needsTarget && others.length === 0)) return null;
    return say`${act} ${money}${on(values)}.`;
  };

/** The asset that is given has no bound, the asset that arrives has a least amount. The pool's fee is the only rate. */
const swap: Frame = (values, clauses, grammar) => {
  const [given, ...more] = values.money.filter((one) => !isLeast(one, clauses, grammar));
  const [least, ...others] = values.money.filter((one) => isLeast(one, clauses, grammar));
  if (
    given === undefined ||
    least === undefined ||
    more.length + others.length > 0 ||
    given.asset === least.asset
  )
    return null;
  if (values.assets.some(({ asset }) => asset !== given.asset && asset !== least.asset)) return null;
  const [rate, ...rates] = values.rates;
  const [venue, ...venues] = values.venues;
  if (rates.length + venues.length > 0 || venue === undefined) return null;
  if (rate !== undefined && !isPoolFee(rate, clauses, grammar)) return null;
  const fee = rate === undefined ? [] : say` using the ${rate} pool`;
  const to = values.address === null ? [] : say` to ${values.address}`;
  return say`Swap ${given} for at least ${least} on ${venue}${to}${fee}${on(values)}.`;
};

/** "Buy WETH with 300 USDC": the asset after the verb arrives, and the money after "with" or "for" is given. */
const buy: Frame = (values, clauses, grammar) => {
  const bought = clauses.flatMap(({ tokens }) =>
    tokens.flatMap((_, at) => {
      const verb = grammar.phraseAt(tokens, at, ["buy"]);
      const object = verb === 0 ? undefined : tokens.slice(at + verb).find((token) => token.kind !== "word");
      return object === undefined ? [] : [object];
    }),
  );
  const [given] = values.money.filter((one) => !isLeast(one, clauses, grammar));
  const isPaid = clauses.every(({ tokens }) =>
    tokens.every(
      (token, at) =>
        token !== given ||
        grammar.phraseAt(tokens, markerBefore(tokens, at, grammar) ?? -1, ["prep", "for"]) > 0,
    ),
  );
  const isBought = bought.every((token) => token.kind === "asset" && token.asset !== given?.asset);
  return isPaid && isBought && bought.length > 0 ? swap(values, clauses, grammar) : null;
};

const frames: Readonly<Record<Verb, readonly Frame[]>> = {
  pay: [pay],
  approve: [approve],
  revoke: [revoke],
  wrap: [wrap("Wrap", "ETH", "WETH", false)],
  unwrap: [wrap("Unwrap", "WETH", "ETH", false)],
  convert: [wrap("Wrap", "ETH", "WETH", true), wrap("Unwrap", "WETH", "ETH", true), swap],
  buy: [buy],
};

const hasOnly = ({ assets, venues, rates }: Values, asset: string): boolean =>
  venues.length === 0 && rates.length === 0 && assets.every((one) => one.asset === asset);

/** The only money, if nothing marks it as a price, a rest or a source. */
function onlyMoney(
  { money: [money, ...more] }: Values,
  clauses: readonly Clause[],
  grammar: Grammar,
  markers: readonly Class[] = [],
): Money | null {
  const isObject = clauses.every((clause) =>
    isMarked(clause, "money", ["to", "of", "spend", ...verbs, ...markers], grammar),
  );
  return money === undefined || more.length > 0 || !isObject ? null : money;
}

/** Every value of this kind follows one of the markers, or no marker at all. */
const isMarked = (
  { tokens }: Clause,
  kind: Token["kind"],
  markers: readonly Class[],
  grammar: Grammar,
): boolean =>
  tokens.every((token, index) => {
    if (token.kind !== kind) return true;
    const at = markerBefore(tokens, index, grammar);
    return at === null || grammar.phraseAt(tokens, at, markers) > 0;
  });

/** The closest preposition or verb before a value, past the description of a party. Null at another value and at the start. */
function markerBefore(tokens: readonly Token[], value: number, grammar: Grammar): number | null {
  for (let at = value - 1; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token === undefined || (token.kind !== "word" && token.kind !== "mark")) return null;
    // "the wallet of Ana"; without a noun before it the word can mean "from".
    if (
      grammar.phraseAt(tokens, at, ["of"]) > 0 &&
      tokens[at - 1]?.kind === "word" &&
      !isMarker(tokens, at - 1, grammar)
    )
      continue;
    if (isMarker(tokens, at, grammar)) return at;
  }
  return null;
}

const isMarker = (tokens: readonly Token[], at: number, grammar: Grammar): boolean =>
  grammar.phraseAt(tokens, at, ["to", "from", "for", "of", "prep", "spend", ...verbs]) > 0;

const isLeast = (money: Money, clauses: readonly Clause[], grammar: Grammar): boolean =>
  clauses.some(({ tokens }) =>
    tokens.some(
      (token, at) =>
        token.kind === "money" &&
        token.asset === money.asset &&
        compareDecimals(token.amount, money.amount) === 0 &&
        endsAt(tokens, at, "least", grammar),
    ),
  );

const LONGEST = 4;
/** A phrase of the class ends right before the token. */
export const endsAt = (tokens: readonly Token[], at: number, cls: Class, grammar: Grammar): boolean =>
  Array.from({ length: LONGEST }, (_, index) => index + 1).some(
    (length) => at - length >= 0 && grammar.phraseAt(tokens, at - length, [cls]) === length,
  );

const isPoolFee = (rate: Token, clauses: readonly Clause[], grammar: Grammar): boolean =>
  clauses.some(({ tokens }) => {
    const at = tokens.indexOf(rate);
    return (
      at >= 0 && [at + 1, at + 2, at - 1, at - 2].some((near) => grammar.phraseAt(tokens, near, ["pool"]) > 0)
    );
  });
