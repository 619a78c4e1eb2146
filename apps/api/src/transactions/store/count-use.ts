// Counts the use of a request in the database transaction that decides about it, so that two decisions at the same time
// cannot both take it for the first, or take the same budget.
import { isPaused } from "../../agents/index.ts";
import { calledBy, effectsIn, grantWithin, lockLedger, settleBudget } from "../../mandates/index.ts";
import { asksByEffect, judgeByPolicy } from "../../policies/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import {
  agentPaused,
  checkedByEffect,
  mandateEnded,
  outsideMandate,
  policyAsks,
  repeatedRequest,
  unknownRequest,
  type NeedsOwner,
} from "../grant/needs-owner.ts";
import type { PolicyDecision } from "../grant/policy-decision.ts";
import { requestUseOf, type RequestUse, type VerdictFacts } from "../grant/request-use.ts";
import { apply, awaitsGrant, useOf, type Lifecycle } from "../lifecycle.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { readReport } from "./reports.ts";
import { findEarlierUse, insertUse, updateUse } from "./request-uses.ts";

type Deciding = {
  readonly before: Transaction;
  /** The state after the rule's events. */
  readonly state: Lifecycle;
  readonly approvals: readonly Approval[];
  /** The decision that is being recorded, and the report that comes with a verdict. */
  readonly approval: Approval | undefined;
  readonly report: unknown;
};

type Counted = {
  readonly state: Lifecycle;
  readonly needsOwner?: NeedsOwner;
  /** The mandate under which it is approved. */
  readonly mandateId?: string | null;
  readonly policyDecision?: PolicyDecision;
  /** Why the policy denies it. */
  readonly denied?: string;
};

async function findEffects(tx: Db, { before, report }: Deciding): Promise<unknown> {
  // The report of a payload that the sender encrypted is not used, as it is not stored.
  if (before.form === "sealed") return undefined;
  // A verdict that came before the registration left its report in the database.
  return effectsIn(report === undefined ? await readReport(tx, before.id) : report);
}

async function readFacts(tx: Db, deciding: Deciding): Promise<VerdictFacts> {
  const { approvals, approval } = deciding;
  const attestation = [...approvals, approval].find((one) => one?.kind === "orion")?.attestation ?? null;
  return { attestation, effects: await findEffects(tx, deciding) };
}

/** A signed request was compared by its nonce when it was proposed. */
const isSigned = ({ intentProvenance }: Transaction): boolean => intentProvenance === "user-signed";

/** Returns why a request is not used for the first time. */
async function whyRepeated(
  tx: Db,
  { before }: Deciding,
  use: RequestUse | undefined,
): Promise<NeedsOwner | undefined> {
  if (use === undefined) return unknownRequest;
  const earlier = isSigned(before) ? undefined : await findEarlierUse(tx, before, use);
  return earlier && repeatedRequest(earlier);
}

/** Effects count only if a signed verdict covers the report that names them. */
const attestedEffects = ({ attestation, effects }: VerdictFacts): unknown =>
  attestation === null ? undefined : effects;

/** The transaction as mandates and policies look at it. */
const askedOf = ({ before }: Deciding, facts: VerdictFacts) => ({
  ...{ account: before.account, agent: before.proposer, transactionId: before.id },
  ...{
    chainId: before.chainId,
    ...calledBy({ to: before.tx?.to, value: before.tx?.value ?? 0n, payload: before.payload }),
  },
  ...{ own: [before.account, before.escrow.toLowerCase()], effects: attestedEffects(facts) },
  ...{ isSigned: isSigned(before), isSignature: before.shape !== null },
});

/** Releases a grant that no longer counts: its request and its budget. */
async function takeBack(tx: Db, { before }: Deciding): Promise<void> {
  await settleBudget(tx, before, "released");
  await updateUse(tx, before, "released");
}

/** Returns why the owner is asked. For one that was approved before, only that this has ended. */
const ask = ({ before, state }: Deciding, why: NeedsOwner): Counted =>
  before.granted ? { state, needsOwner: mandateEnded, mandateId: null } : { state, needsOwner: why };

/** Grants the transaction, or returns why its owner is asked. */
async function grantOrAsk(tx: Db, deciding: Deciding): Promise<Counted> {
  const { before } = deciding;
  await lockLedger(tx, before.account);
  if (before.granted) await takeBack(tx, deciding);
  const facts = await readFacts(tx, deciding);
  const policyDecision = await judgeByPolicy(tx, askedOf(deciding, facts));
  const counted =
    policyDecision === undefined || policyDecision.outcome === "allow"
      ? await reserveOrAsk(tx, deciding, facts)
      : objected(deciding, policyDecision);
  return policyDecision === undefined ? counted : { ...counted, policyDecision };
}

/** The policy asks, or denies. Nothing is reserved. */
function objected(deciding: Deciding, { outcome, message }: PolicyDecision): Counted {
  const why = message ?? "Your policy objects";
  if (outcome === "ask") return ask(deciding, policyAsks(why));
  return { state: apply(deciding.state, "policyDenies"), mandateId: null, denied: why };
}

async function reserveOrAsk(tx: Db, deciding: Deciding, facts: VerdictFacts): Promise<Counted> {
  const { before, state } = deciding;
  if (await isPaused(tx, { account: before.account, agent: before.proposer }))
    return ask(deciding, agentPaused);
  const use = requestUseOf(before, facts);
  const repeated = await whyRepeated(tx, deciding, use);
  if (repeated !== undefined || use === undefined) return ask(deciding, repeated ?? unknownRequest);
  if (await asksByEffect(tx, askedOf(deciding, facts))) return ask(deciding, checkedByEffect);
  const within = await grantWithin(tx, askedOf(deciding, facts));
  if ("code" in within) return ask(deciding, outsideMandate(within));
  const granted = apply(state, "grant");
  const now = useOf(granted) ?? "held";
  await insertUse(tx, before, { ...use, state: now });
  if (now !== "held") await settleBudget(tx, { id: before.id, mandateId: within.mandateId }, now);
  return { state: granted, mandateId: within.mandateId };
}

/** Keeps use and budget on record in step with the state. A use that was never counted is, once it may be executed. */
async function follow(tx: Db, deciding: Deciding): Promise<Counted> {
  const { before, state } = deciding;
  const now = useOf(state);
  if (now === null || now === useOf(before)) return { state };
  if (before.mandateId !== null) {
    await lockLedger(tx, before.account);
    await settleBudget(tx, before, now);
  }
  if ((await updateUse(tx, before, now)) || now === "released") return { state };
  await lockLedger(tx, before.account);
  const use = requestUseOf(before, await readFacts(tx, deciding));
  if (use !== undefined) await insertUse(tx, before, { ...use, state: now });
  return { state };
}

/**
 * Returns the state that a decision leads to. When an approving verdict takes effect on a transaction of type
 * 2, this is where it is approved without its owner, or not.
 */
export async function countUse(tx: Db, deciding: Deciding): Promise<Counted> {
  const { before, state } = deciding;
  if (state.executionType !== 2) return { state };
  return awaitsGrant(state) && !awaitsGrant(before) ? grantOrAsk(tx, deciding) : follow(tx, deciding);
}
