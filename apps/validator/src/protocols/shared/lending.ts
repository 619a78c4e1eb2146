/** The four actions of every lending market. */
import type { Amount, Asset, Party } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import type { Draft, DraftChoice, DraftFlow } from "../../protocol.ts";

type Lent = {
  readonly asset: Asset;
  readonly amount: Amount;
  /** The argument that holds the amount. */
  readonly at: string;
  /** The account whose position grows or shrinks, or that is paid. */
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

/** `debtor` owes it. If that is another account, its credit is used. */
export const borrow = (lent: Lent, debtor: Party, debtorAt?: string): Draft => ({
  act: "borrow",
  gets: flow(lent),
  payer: debtor,
  receiver: lent.receiver,
  places: { ...places(lent), ...(debtorAt === undefined ? {} : { payer: debtorAt }) },
});

const STABLE = 1n;
const VARIABLE = 2n;

/** The interest mode of a debt. The variable one need not be requested. Throws on a mode that Aave does not have. */
export const atRate = (mode: bigint, at = "interestRateMode"): DraftChoice => {
  if (mode !== STABLE && mode !== VARIABLE) throw new Error(`${mode} is not an interest rate mode`);
  const isVariable = mode === VARIABLE;
  return { what: "rate", value: isVariable ? "variable" : "stable", at, known: isVariable };
};

/** The asset whose use in a lending market changes. The request must name it. */
export const reserve = (asset: Address, at = "asset"): DraftChoice => ({
  what: "market",
  value: asset,
  at,
  known: false,
});

/** A debt paid out of the owner's supply instead of tokens from the account. The request must name it. */
export const outOfSupply = (at: string): DraftChoice => ({
  what: "setting",
  value: "aTokens",
  at,
  known: false,
});

/** The verbs that people use for a lender, if the word has another meaning elsewhere. */
export const lenderVerbs: Readonly<Record<string, readonly Draft["act"][]>> = {
  stake: ["supply"],
  unstake: ["withdraw"],
  add_liquidity: ["supply"],
  remove_liquidity: ["withdraw"],
};
