/** Deposits into a staking pool for its token, and withdrawals. */
import { exactly, MAX_UINT, native, token, type Amount, type Party } from "../../effects.ts";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView, Draft, DraftChoice } from "../../protocol.ts";

/** The pool's own rate decides how much of its token is returned; no argument limits it. */
const atTheRate: Amount = { least: 0n, most: MAX_UINT };

/** Stakes the native value. `share`: the token that represents it. */
export const stakeCoin = (call: CallView, share: Address | null, receiver: Party = call.sender): Draft => ({
  act: "stake",
  gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
  ...(share === null ? {} : { gets: [{ asset: token(share), amount: atTheRate, at: "value" }] }),
  receiver,
  places: { amount: "value" },
});

type Converted = {
  readonly give: Address;
  readonly amount: Amount;
  readonly at: string;
  /** The output of an immediate withdrawal. */
  readonly get?: Address | "coin";
  readonly least?: bigint;
  readonly receiver: Party;
  readonly receiverAt?: string;
};

/** Converts one token of a pool into another of its forms, or back into what was staked. */
export const convert = (act: "stake" | "unstake" | "wrap" | "unwrap", given: Converted): Draft => ({
  act,
  gives: [{ asset: token(given.give), amount: given.amount, at: given.at }],
  ...(given.get === undefined
    ? {}
    : {
        gets: [
          {
            asset: given.get === "coin" ? native : token(given.get),
            amount: { least: given.least ?? 0n, most: MAX_UINT },
            at: given.at,
          },
        ],
      }),
  receiver: given.receiver,
  places: { amount: given.at, ...(given.receiverAt === undefined ? {} : { receiver: given.receiverAt }) },
});

/** Pays out an earlier withdrawal request. Only the contract knows the amount. */
export const collect = (receiver: Party, receiverAt?: string): Draft => ({
  act: "claim",
  gets: [{ asset: native, amount: atTheRate, at: receiverAt ?? "function" }],
  receiver,
  ...(receiverAt === undefined ? {} : { places: { receiver: receiverAt } }),
});

export const VALIDATOR_KEY_BYTES = 48;

type Deposit = {
  readonly key: Hex;
  readonly keyAt: string;
  /** The hash of all of it. The deposit contract rejects one that does not match. */
  readonly root: Hex;
  readonly rootAt: string;
};

/**
 * The parts of a validator deposit that the request must state. The deposit belongs to the credentials of the key's
 * first deposit, whatever this one says. If it is the first, a wrong signature loses the funds: the deposit contract
 * does not check it. The hash represents the signature.
 */
export const depositFor = ({ key, keyAt, root, rootAt }: Deposit): readonly DraftChoice[] => [
  { what: "validator_key", value: key, at: keyAt },
  { what: "deposit", value: root, at: rootAt },
];

/** The verbs that people use for a staking pool, if the word has another meaning elsewhere. */
export const stakingVerbs: Readonly<Record<string, readonly Draft["act"][]>> = {
  supply: ["stake"],
  swap: ["stake", "unstake"],
  mint: ["stake"],
  withdraw: ["unstake", "claim"],
  unstake: ["claim"],
};
