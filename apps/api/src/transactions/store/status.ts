import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Hex } from "../../platform/db/hex.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { approvalColumns } from "./approvals.ts";
import { isNamed, type WatchedChains } from "./columns.ts";

/** The state that agents poll for: without intent and calldata, and all of one version. */
export type DecisionState = Pick<
  Transaction,
  | "account"
  | "isWatched"
  | "shape"
  | "useKind"
  | "onchain"
  | "version"
  | "phase"
  | "orion"
  | "user"
  | "needsOwner"
  | "mandateId"
  | "policyDecision"
  | "verdictAt"
  | "createdAt"
> & { readonly userId: string; readonly approvals: readonly Approval[] };

type Row = Omit<DecisionState, "approvals" | "isWatched"> & { readonly approval: Approval["id"] | null };

/** One statement, so that version and approvals belong together. */
export async function readDecisionState(
  db: Db,
  requestHash: Hex,
  watchedChains: WatchedChains,
): Promise<DecisionState | undefined> {
  const { rows } = await sql<Row & Approval & { readonly openedAt: Date; readonly chainId: string }>`
    select t.account, t.chain_id as "chainId", t.shape, t.use_kind as "useKind", t.onchain, t.version, t.phase, t.orion, t."user",
      t.needs_owner as "needsOwner", t.mandate_id as "mandateId",
      t.policy_decision as "policyDecision", t.verdict_at as "verdictAt", t.created_at as "openedAt",
      u.id as "userId", a.id as approval, ${approvalColumns}
    from transactions t
    join users u on u.account = t.account
    left join approvals a on a.transaction_id = t.id
    where ${isNamed(requestHash)} order by a.id`.execute(db);
  const [first] = rows;
  if (first === undefined) return undefined;
  const {
    account,
    shape,
    useKind,
    onchain,
    version,
    phase,
    orion,
    user,
    needsOwner,
    mandateId,
    policyDecision,
    verdictAt,
    openedAt,
    userId,
  } = first;
  const approvals = rows.filter(({ approval }) => approval !== null);
  const isWatched = watchedChains.has(Number(first.chainId));
  return {
    account,
    isWatched,
    shape,
    useKind,
    onchain,
    version,
    phase,
    orion,
    user,
    needsOwner,
    mandateId,
    policyDecision,
    verdictAt,
    createdAt: openedAt,
    userId,
    approvals,
  };
}
