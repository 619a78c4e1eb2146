// The bounds that a signed report sets for the execution, and the comparison of a fresh simulation with them. Custody and the wallet guard
// share it, so that both stop at the same differences.

type Hex = `0x${string}`;

/** How much a balance may change at worst. */
export type BalanceBound = {
  readonly holder: Hex;
  /** The token's address. Null: the native token, without the network fee. */
  readonly token: Hex | null;
  readonly symbol: string | null;
  /** The change that was approved, in base units. Negative: it leaves. */
  readonly approved: bigint;
  /** The smallest change that is still within the approval. */
  readonly least: bigint;
};

export type AllowanceBound = { readonly spender: Hex; readonly token: Hex; readonly most: bigint };

export type Bounds = {
  readonly account: Hex;
  /** The block whose state was proven. */
  readonly block: { readonly number: bigint; readonly hash: Hex };
  readonly changes: readonly BalanceBound[];
  readonly allowances: readonly AllowanceBound[];
};

/** The result of a simulation on the newest block. */
export type Fresh =
  | { readonly succeeded: false; readonly reason: string | null }
  | {
      readonly succeeded: true;
      /** The measured change of each balance in `Bounds.changes`, in the same order. Null: it could not be measured. */
      readonly changes: readonly (bigint | null)[];
      /** Tokens that leave the account, by the events of the call. */
      readonly outgoing: readonly { readonly token: Hex; readonly amount: bigint }[];
      /** Allowances that the account gives, by the events of the call. */
      readonly allowances: readonly AllowanceBound[];
    };

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

const hexOf = (value: unknown, digits: number): Hex | null =>
  typeof value === "string" && /^0x[0-9a-f]+$/i.test(value) && value.length === digits + 2
    ? (value.toLowerCase() as Hex)
    : null;

const integerOf = (value: unknown): bigint | null =>
  typeof value === "string" && /^-?\d{1,78}$/.test(value) ? BigInt(value) : null;

/** `isMalformed`: there are bounds, and they cannot be read. Nothing may be sent on them. */
export type NoBounds = { readonly why: string; readonly isMalformed: boolean };

/** Returns the bounds in a validator's report, or why it has none. */
export function readBounds(report: unknown): Bounds | NoBounds {
  const { bounds } = membersOf(membersOf(report)["context"]);
  if (bounds === undefined)
    return {
      why: "the report has no bounds: it was made without the state of the chain",
      isMalformed: false,
    };
  const { status, why, account, block, changes, allowances } = membersOf(bounds);
  if (status === "unknown" && typeof why === "string")
    return { why: `the report has no bounds: ${why}`, isMalformed: false };
  const [holder, { number, hash }] = [hexOf(account, 40), membersOf(block)];
  const at = { number: integerOf(number), hash: hexOf(hash, 64) };
  const read = {
    changes: Array.isArray(changes) ? changes.map(changeOf) : [null],
    allowances: Array.isArray(allowances) ? allowances.map(allowanceOf) : [null],
  };
  if (status !== "known" || holder === null || at.number === null || at.hash === null) return malformed;
  if (!isWhole(read.changes) || !isWhole(read.allowances)) return malformed;
  return {
    account: holder,
    block: { number: at.number, hash: at.hash },
    changes: read.changes,
    allowances: read.allowances,
  };
}

const malformed: NoBounds = { why: "the bounds in the report are malformed", isMalformed: true };

const isWhole = <T>(list: readonly (T | null)[]): list is readonly T[] => !list.includes(null);

function changeOf(value: unknown): BalanceBound | null {
  const members = membersOf(value);
  const [holder, approved, least] = [
    hexOf(members["holder"], 40),
    integerOf(members["approved"]),
    integerOf(members["least"]),
  ];
  const token = members["kind"] === "native" ? null : hexOf(members["address"], 40);
  const isKnown = members["kind"] === "native" || (members["kind"] === "token" && token !== null);
  if (!isKnown || holder === null || approved === null || least === null || least > approved) return null;
  const symbol = typeof members["symbol"] === "string" ? members["symbol"] : null;
  return { holder, token, symbol, approved, least };
}

function allowanceOf(value: unknown): AllowanceBound | null {
  const { spender, token, most } = membersOf(value);
  const [to, of, amount] = [hexOf(spender, 40), hexOf(token, 40), integerOf(most)];
  return to === null || of === null || amount === null ? null : { spender: to, token: of, most: amount };
}

/** Returns what is outside the bounds, as sentences. Empty: everything is within. */
export function findBreaches(bounds: Bounds, fresh: Fresh): readonly string[] {
  if (!fresh.succeeded) return [`it would fail now${fresh.reason === null ? "" : `: ${fresh.reason}`}`];
  return [
    ...bounds.changes.flatMap((bound, index) => breachOf(bounds, bound, fresh.changes[index] ?? null)),
    ...fresh.outgoing.flatMap(({ token, amount }) =>
      amount > 0n && !bounds.changes.some((bound) => bound.token === token && bound.holder === bounds.account)
        ? [`${amount} base units of ${token} would leave, of which none did when it was approved`]
        : [],
    ),
    ...fresh.allowances.flatMap((found) => excessOf(bounds, found)),
  ];
}

function breachOf({ account }: Bounds, bound: BalanceBound, change: bigint | null): readonly string[] {
  const { holder, token, symbol, approved, least } = bound;
  const name = `base units of ${symbol === null ? (token ?? "the native token") : `${symbol}${token === null ? "" : ` (${token})`}`}`;
  if (change === null) return [`the balance of ${holder} in ${name} could not be measured`];
  if (change >= least) return [];
  const whose = holder === account ? "" : ` at ${holder}`;
  if (approved < 0n)
    return [`${-change} ${name} would leave${whose}: ${-approved} when it was approved, at most ${-least}`];
  const now =
    change < 0n ? `${-change} ${name} would leave${whose}` : `${change} ${name} would arrive${whose}`;
  return [`${now}: ${approved} arrived when it was approved, at least ${least} must`];
}

function excessOf({ allowances }: Bounds, { spender, token, most }: AllowanceBound): readonly string[] {
  const approved = allowances.find((one) => one.spender === spender && one.token === token)?.most ?? 0n;
  return most > approved
    ? [`${spender} could take ${most} base units of ${token}: ${approved} when it was approved`]
    : [];
}
