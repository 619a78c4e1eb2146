// All stories as proposals to the API, by the member of the body that has them.
import type { Hex } from "@countersign/wire";
import { attackStories, type Attack as SimulatedAttack } from "./attacks.ts";
import { attackBatches, honestBatches } from "./batches.ts";
import type { Call } from "./calls.ts";
import type { Chain } from "./chain.ts";
import { attackCrossings, honestCrossings } from "./crossings.ts";
import { honestStories } from "./honest.ts";
import { attackLending, honestLending } from "./lending.ts";
import { attackNames, honestNames } from "./names.ts";
import { attackSafes, honestSafes } from "./safes.ts";
import { attackSignatures, honestSignatures, type Signed } from "./signatures.ts";
import { attackRouterSwaps, honestRouterSwaps } from "./universal-router.ts";
import * as unknown from "./unknown-contracts.ts";

export type Parties = { readonly me: Hex; readonly friend: Hex; readonly safe: () => Hex };

/** A transaction of a Safe by its own member of the body, and not as typed data. */
type SafeTransactionBody = { readonly safe: Hex } & Readonly<Record<string, unknown>>;

/** The transaction, the batch or the data to sign. */
export type Subject = Call | readonly Call[] | Signed | SafeTransactionBody;

/** The members of the body that stories use. */
export const forms = ["tx", "calls", "typedData", "safeTransaction"] as const;
export type Form = (typeof forms)[number];

type Story = {
  readonly form: Form;
  readonly name: string;
  readonly words: string;
  readonly subject: () => Subject;
  readonly prepare?: (chain: Chain) => Promise<unknown>;
};
export type Honest = Story & {
  /** Whose money it is about. */
  readonly account: () => Hex;
  /** Whether the contract is in no table. Then the owner is asked as well, although the effect was verified. */
  readonly isByEffect: boolean;
};
export type Attack = Story & {
  /** The reason: one of these checks must fail, or the effect of an unknown contract is not confirmed with this sentence. */
  readonly found: { readonly because: readonly string[] } | { readonly why: RegExp };
};

type Told<T> = {
  readonly words: string;
  readonly name?: string;
  readonly call: () => T;
  readonly prepare?: (chain: Chain) => Promise<unknown>;
};

const storyOf = <T extends Subject>(form: Form, { call, words, name = words, ...rest }: Told<T>): Story => ({
  ...{ form, words, name, subject: call },
  ...(rest.prepare && { prepare: rest.prepare }),
});

function asSafeTransaction({ domain, message }: Signed): SafeTransactionBody {
  return { chainId: domain.chainId, safe: domain.verifyingContract, ...message };
}
/** The signatures that confirm a transaction of a Safe. */
const ofSafes = <T extends { readonly words: string; readonly call: () => Signed }>(
  stories: readonly T[],
): readonly (Omit<T, "call"> & { readonly call: () => SafeTransactionBody })[] =>
  stories
    .filter(({ words }) => words.includes("my Safe"))
    .map((story) => ({ ...story, call: () => asSafeTransaction(story.call()) }));

export function listHonest(parties: Parties): readonly Honest[] {
  const { me, safe } = parties;
  const honest =
    (form: Form, account: () => Hex) =>
    (told: Told<Subject>): Honest => ({ ...storyOf(form, told), account, isByEffect: false });
  const holderOf = ({ words }: Told<Subject>): (() => Hex) => (words.includes("my Safe") ? safe : () => me);
  return [
    ...[honestStories, honestNames, honestLending, honestCrossings, honestRouterSwaps].flatMap((list) =>
      list(parties).map(honest("tx", () => me)),
    ),
    ...unknown.honestStories(parties).map((told) => ({ ...honest("tx", () => me)(told), isByEffect: true })),
    ...honestSafes(parties).map(honest("tx", safe)),
    ...honestBatches(parties).map(honest("calls", () => me)),
    ...honestSignatures(parties).map((told) => honest("typedData", holderOf(told))(told)),
    ...ofSafes(honestSignatures(parties)).map(honest("safeTransaction", safe)),
  ];
}

export function listAttacks(parties: Parties): readonly Attack[] {
  type Simulated = Told<Subject> & Pick<SimulatedAttack, "because">;
  const attack =
    (form: Form) =>
    (told: Simulated): Attack => ({ ...storyOf(form, told), found: { because: told.because } });
  return [
    ...[attackStories, attackNames, attackLending, attackCrossings, attackRouterSwaps, attackSafes].flatMap(
      (list) => list(parties).map(attack("tx")),
    ),
    ...unknown
      .attackStories(parties)
      .map((told): Attack => ({ ...storyOf("tx", told), found: { why: told.why } })),
    ...attackBatches(parties).map(attack("calls")),
    ...attackSignatures(parties).map(attack("typedData")),
    ...ofSafes(attackSignatures(parties)).map(attack("safeTransaction")),
  ];
}
