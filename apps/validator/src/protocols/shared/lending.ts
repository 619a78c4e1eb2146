/** The four acts of every lending market, in one wording. */
import type { Amount, Asset, Party } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { Draft, DraftChoice, DraftFlow } from "../../protocol.ts";

type Lent = {
  readonly asset: Asset;
  readonly amount: Amount;
  /** The argument that holds the amount. */
  readonly at: string;
  /** Whose position grows or shrinks, or who is paid. */
  readonly receiver: Party;
  readonly receiverAt?: string;
};

const places = ({ at, receiverAt }: Lent): Readonly<Record<string, string>> => ({
  amount: at,
  ...(receiverAt === undefined ? {} : { receiver: receiverAt }),
});

const flow = ({ asset, amount, at }: Lent): readonly DraftFlow[] => [{ asset, amount, at }];

export const supply = (lent: Lent): Draft => ({
  act: "supply",
  gives: flow(lent),
  receiver: lent.receiver,
  places: places(lent),
});

export const repay = (lent: Lent): Draft => ({ ...supply(lent), act: "repay" });

export const withdraw = (lent: Lent): Draft => ({
  act: "withdraw",
  gets: flow(lent),
  receiver: lent.receiver,
  places: places(lent),
});

/** `debtor` owes it: where that is somebody else, their credit is used. */
export const borrow = (lent: Lent, debtor: Party, debtorAt?: string): Draft => ({
  act: "borrow",
  gets: flow(lent),
  payer: debtor,
  receiver: lent.receiver,
  places: { ...places(lent), ...(debtorAt === undefined ? {} : { payer: debtorAt }) },
});

const STABLE = 1n;
const VARIABLE = 2n;

/** The kind of interest of a debt. The variable one goes without saying. Throws on a mode that Aave does not have. */
export const atRate = (mode: bigint, at = "interestRateMode"): DraftChoice => {
  if (mode !== STABLE && mode !== VARIABLE) throw new Error(`${mode} is not an interest rate mode`);
  const isVariable = mode === VARIABLE;
  return { what: "rate", value: isVariable ? "variable" : "stable", at, known: isVariable };
};

/** The asset whose use in a lending market is changed. It must be named in the request. */
export const reserve = (asset: Address, at = "asset"): DraftChoice => ({
  what: "market",
  value: asset,
  at,
  known: false,
});

/** A debt paid out of one's own supply, and not with tokens from the account. It must be named in the request. */
export const outOfSupply = (at: string): DraftChoice => ({
  what: "setting",
  value: "aTokens",
  at,
  known: false,
});

/** What people say of a lender, where the word has another meaning elsewhere. */
export const lenderVerbs: Readonly<Record<string, readonly Draft["act"][]>> = {
  stake: ["supply"],
  unstake: ["withdraw"],
  add_liquidity: ["supply"],
  remove_liquidity: ["withdraw"],
};
