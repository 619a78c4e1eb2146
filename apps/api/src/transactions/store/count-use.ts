// Counts the use of a request in the database transaction that decides about it, so that two decisions at the same time
// cannot both take it for the first.
import type { Db } from "../../platform/db/connect.ts";
import { repeatedRequest, unknownRequest, type NeedsOwner } from "../grant/needs-owner.ts";
import { requestUseOf, type RequestUse } from "../grant/request-use.ts";
import { apply, awaitsGrant, useOf, type Lifecycle } from "../lifecycle.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { findEarlierUse, insertUse, lockLedger, readEffects, updateUse } from "./request-uses.ts";

type Deciding = {
  readonly before: Transaction;
  /** The state after the rule's events. */
  readonly state: Lifecycle;
  readonly approvals: readonly Approval[];
  /** The decision that is being recorded. */
  readonly approval: Approval | undefined;
};

type Counted = { readonly state: Lifecycle; readonly needsOwner?: NeedsOwner };

async function readUse(tx: Db, { before, approvals, approval }: Deciding): Promise<RequestUse | undefined> {
  const attestation = [...approvals, approval].find((one) => one?.kind === "orion")?.attestation;
  return requestUseOf(before, { attestation, effects: await readEffects(tx, before) });
}

/** A signed request was compared by its nonce when it was proposed. */
const isSigned = ({ intentProvenance }: Transaction): boolean => intentProvenance === "user-signed";

/** Returns why the owner is needed. Undefined if nothing speaks against approving it without them. */
async function whyAsk(
  tx: Db,
  { before }: Deciding,
  use: RequestUse | undefined,
): Promise<NeedsOwner | undefined> {
  if (use === undefined) return unknownRequest;
  const earlier = isSigned(before) ? undefined : await findEarlierUse(tx, before, use);
  return earlier && repeatedRequest(earlier);
}

/** Grants the transaction, or returns why its owner is asked. */
async function grantOrAsk(tx: Db, deciding: Deciding): Promise<Counted> {
  const { before, state } = deciding;
  await lockLedger(tx, before.account);
  const use = await readUse(tx, deciding);
  const needsOwner = await whyAsk(tx, deciding, use);
  if (needsOwner !== undefined || use === undefined)
    return { state, ...(needsOwner === undefined ? {} : { needsOwner }) };
  const granted = apply(state, "grant");
  await insertUse(tx, before, { ...use, state: useOf(granted) ?? "held" });
  return { state: granted };
}

/** Keeps the use on record in step with the state. One that was never counted is, once it may be executed. */
async function follow(tx: Db, deciding: Deciding): Promise<Counted> {
  const { before, state } = deciding;
  const now = useOf(state);
  if (now === null || now === useOf(before) || (await updateUse(tx, before, now)) || now === "released")
    return { state };
  await lockLedger(tx, before.account);
  const use = await readUse(tx, deciding);
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
