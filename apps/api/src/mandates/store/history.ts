// Past transactions as mandates and policies see them, for previews and dry runs.
import type { Payload } from "@countersign/wire";
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";
import { calledBy, effectsIn } from "../facts.ts";
import { readMoves, type Move } from "../moves.ts";

type Row = {
  readonly requestHash: string;
  readonly agent: string;
  readonly chainId: string;
  readonly value: string | null;
  readonly to: string | null;
  readonly payload: Payload | null;
  readonly escrow: string;
  readonly description: string;
  readonly isSigned: boolean;
  readonly isSignature: boolean;
  readonly at: Date;
  readonly isExecuted: boolean;
  /** Why the owner was asked then. */
  readonly needsOwner: { readonly code: string; readonly message: string } | null;
  /** Why the owner's policy denied it then. */
  readonly denied: string | null;
  readonly steps: readonly {
    readonly at: string;
    readonly event: string;
    readonly status: string;
    readonly phase: string;
  }[];
  readonly report: unknown;
};

/** A later state: reserved, spent, or neither. */
export type Step = { readonly at: Date; readonly use: "held" | "made" | "released" };

export type Past = Omit<
  Row,
  "chainId" | "value" | "to" | "payload" | "escrow" | "isSigned" | "steps" | "report"
> & {
  readonly chainId: number;
  /** Whether the owner signed the request. */
  readonly isSigned: boolean;
  /** Undefined if no report that a signed verdict covers says what it moves. */
  readonly moves: readonly Move[] | undefined;
  /** Its approval, execution and end, oldest first. Empty if it was never approved. */
  readonly steps: readonly Step[];
};

function useOf({ event, status, phase }: Row["steps"][number]): Step["use"] | undefined {
  if (status === "PENDING") return undefined;
  // Released, and proven to be unused for ever.
  if (event === "endUnused") return "released";
  if (status === "EXECUTED" || phase === "CONFIRMING") return "made";
  return status === "APPROVED" ? "held" : "released";
}

/** Returns the changes of its use. One that ended without an approval was never used. */
function stepsOf(events: Row["steps"]): readonly Step[] {
  const steps: Step[] = [];
  for (const event of events) {
    const use = useOf(event);
    if (use === undefined || use === steps.at(-1)?.use) continue;
    if (use !== "released" || steps.length > 0) steps.push({ at: new Date(event.at), use });
  }
  return steps;
}

const pastOf = (account: Account, row: Row): Past => {
  const { chainId: id, value, to, payload, escrow, steps, report, ...rest } = row;
  const chainId = Number(id);
  const called = { chainId, ...calledBy({ to, value: BigInt(value ?? 0), payload }) };
  return {
    ...rest,
    chainId,
    moves: readMoves(effectsIn(report), { ...called, own: [account, escrow] }),
    steps: stepsOf(steps),
  };
};

type Wanted = {
  readonly account: Account;
  /** Only this agent's. */
  readonly agent?: string;
  readonly since: Date;
  readonly limit: number;
};

/** Returns the account's transactions with an approving verdict since then, oldest first. The newest `limit` of them. */
export async function readHistory(
  db: Db,
  { account, agent, since, limit }: Wanted,
): Promise<readonly Past[]> {
  const { rows } = await sql<Row>`
    select ${asHex("t.request_hash")} as "requestHash", t.proposer as agent, t.chain_id as "chainId", t.value,
      t.to_address as "to", t.payload, t.escrow, t.description, t.intent_provenance = 'user-signed' as "isSigned",
      t.shape is not null as "isSignature", t.verdict_at as at,
      coalesce(t.onchain = 'success' or t.onchain = 'used' and t.use_outcome = 'used', false) as "isExecuted", t.needs_owner as "needsOwner",
      case when t.policy_decision->>'outcome' = 'deny' then t.policy_decision->>'message' end as denied,
      (select coalesce(json_agg(json_build_object('at', e.created_at, 'event', e.event, 'status', e.status, 'phase', e.phase)
        order by e.version), '[]') from account_events e where e.transaction_id = t.id) as steps,
      jsonb_build_object('decision', s.summary->'decision',
        'assessment', jsonb_build_object('kind', s.summary #> '{assessment,kind}'),
        'context', jsonb_build_object('effects', s.summary #> '{context,effects}')) as report
    from transactions t left join reports r on r.transaction_id = t.id and t.form <> 'sealed' and exists (
      select from approvals a where a.transaction_id = t.id and a.kind = 'orion' and a.attestation is not null),
      lateral (select coalesce(r.summary, r.report)) as s (summary)
    where t.account = ${account} and (${agent ?? null}::text is null or t.proposer = ${agent ?? null})
      and t.orion = 'APPROVED' and t.verdict_at >= ${since}
    order by t.verdict_at desc, t.id desc limit ${limit}`.execute(db);
  return rows.reverse().map((row) => pastOf(account, row));
}
