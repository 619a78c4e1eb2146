/** Whose funds Balancer's vault takes and pays: those of an account, or of a balance that the vault holds for it. */
import { amountFault, routeFault, type Party, type Fault } from "../../effects.ts";
import type { CallView, DraftChoice } from "../../protocol.ts";
import { feeds } from "../../uses.ts";
import { lower } from "./swap-draft.ts";

const ZERO_POOL = `0x${"00".repeat(32)}`;

type Funds = {
  readonly sender: string;
  readonly fromInternalBalance: boolean;
  readonly recipient: string;
  readonly toInternalBalance: boolean;
};

export const payerOf = (address: string, call: CallView): Party =>
  call.isSelf(lower(address)) ? call.sender : lower(address);

export const STAYS_INSIDE = amountFault("the output stays inside the vault");

/** The vault takes from the internal balance first. */
export const fromInside = (isInside: boolean, at: string): readonly DraftChoice[] =>
  isInside ? [{ what: "setting", value: "internal balance", at }] : [];

export const fundsUses = {
  sender: feeds.payer,
  fromInternalBalance: feeds.choice,
  recipient: feeds.receiver,
  toInternalBalance: feeds.terms,
};

export const faultsOf = (pools: readonly string[], funds: Funds): readonly Fault[] => [
  ...(pools.some((id) => id === ZERO_POOL) ? [routeFault("a pool's id is zero")] : []),
  ...(funds.toInternalBalance ? [STAYS_INSIDE] : []),
];
