import { hashReport, type Attestation } from "@countersign/wire";
import { requestErrors } from "@countersign/platform/errors";
import { newId } from "@countersign/platform/ids";
import type { AccountStore } from "../../accounts/index.ts";
import { principalOf, type Idempotency } from "../../platform/idempotency/index.ts";
import { makeQueueByKey } from "../../platform/queue-by-key.ts";
import { isServer, type Decider } from "../caller.ts";
import type { CheckAttestation, RequireAttestation } from "./check-attestation.ts";
import { checkBundle, type Bundle } from "./check-bundle.ts";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import { isPending, transitions, type LifecycleEvent, type Verdict } from "../lifecycle.ts";
import type { Change, Changed, Facts, Rule, TransactionStore } from "../store/index.ts";
import type { Approval, Hex, NewApproval, Transaction } from "../transaction.ts";
import { approvalRecord, type ApprovalRecord } from "../record/views.ts";

/** A requested decision. Every member except the decision and the reason is for the verification service. */
export type Wanted = {
  readonly decision: Verdict;
  /** Why the owner rejects it. */
  readonly reason?: string | undefined;
  readonly confidence?: number | undefined;
  readonly analysis?: string | undefined;
  readonly requestHash?: string | undefined;
  readonly attestation?: unknown;
  readonly report?: Readonly<Record<string, unknown>> | undefined;
  /** The inputs of the verdict, gzipped, in base64. */
  readonly bundle?: string | undefined;
};

type Parts = {
  readonly store: Pick<TransactionStore, "find">;
  readonly transition: Transition;
  readonly accounts: Pick<AccountStore, "find">;
  readonly checkAttestation: CheckAttestation;
  readonly requireAttestation: RequireAttestation;
  readonly idempotently: Idempotency["idempotently"];
};

/** The capacity in which a caller decides: how it is stored, and its effect on the transaction. */
type Capacity = Pick<NewApproval, "kind" | "type" | "approver" | "apiKeyId" | "label"> & {
  readonly events: Readonly<Partial<Record<Verdict, LifecycleEvent>>>;
};

const asOwner = { APPROVED: "userApproves", REJECTED: "userRejects" } as const;
const asKey = {
  user: { APPROVED: "agentApproves", REJECTED: "agentRejects" },
  admin: { APPROVED: "adminApproves", REJECTED: "adminRejects" },
  orion: { APPROVED: "verdictApproved", REJECTED: "verdictRejected", UNDECIDED: "verdictUndecided" },
} as const;

/** An API key never decides as its owner: its approval is recorded, its rejection is final. */
function capacityOf(caller: Decider, { account }: Transaction): Capacity {
  if (!isServer(caller) && caller.account !== account) throw transactionErrors.notYours();
  if (caller.scheme !== "apiKey") {
    const type = caller.scheme === "jwt" ? "user_ui" : "user";
    return { kind: "user", type, approver: account, apiKeyId: null, label: null, events: asOwner };
  }
  const { keyId, type, label } = caller;
  const kind = type === "orion" ? "orion" : "key";
  return { kind, type, approver: keyId, apiKeyId: keyId, label, events: asKey[type] };
}

const evidenceMembers = ["attestation", "report", "bundle"] as const;

/** Before any lookup: whether this caller may send such a request at all. */
function checkRequest(requestHash: Hex, wanted: Wanted, caller: Decider): void {
  const { decision, requestHash: named, ...evidence } = wanted;
  const isOrion = caller.scheme === "apiKey" && caller.type === "orion";
  const isVerdict = decision === "UNDECIDED" || evidenceMembers.some((name) => evidence[name] !== undefined);
  if (!isOrion && isVerdict) throw transactionErrors.onlyForOrion();
  if (named !== undefined && named.toLowerCase() !== requestHash) throw transactionErrors.otherRequestHash();
  const isUserKey = caller.scheme === "apiKey" && caller.type === "user";
  if (isUserKey && !caller.scopes.includes("transactions:approve:own")) throw requestErrors.forbidden();
}

/**
 * Returns the caller's earlier decision that still counts. There is one verdict, whichever key posts it. An
 * owner's approval stops counting when an UNDECIDED verdict follows it, and may then be given again.
 */
function earlierOf(
  { kind, approver }: Capacity,
  { user }: Transaction,
  approvals: readonly Approval[],
): Approval | undefined {
  if (kind === "user" && user === null) return undefined;
  return approvals.findLast((one) => one.kind === kind && (kind === "orion" || one.approver === approver));
}

/** Two keys of one kind may both approve. The second changes nothing, and is recorded while it still could. */
const mayHappen = (current: Transaction, event: LifecycleEvent): boolean =>
  event === "agentApproves" || event === "adminApproves"
    ? isPending(current)
    : transitions[event].when(current);

/** Returns the change that the decision causes, or nothing if it was made before. */
function findEvent(
  current: Transaction,
  earlier: Approval | undefined,
  { capacity, decision }: { readonly capacity: Capacity; readonly decision: Verdict },
): LifecycleEvent | undefined {
  if (earlier?.decision === decision) return undefined;
  if (earlier !== undefined && capacity.kind === "orion") throw transactionErrors.otherVerdict();
  // Only the owner in person may cancel an approval. A rejection is final.
  if (earlier !== undefined && !(capacity.kind === "user" && decision === "REJECTED"))
    throw transactionErrors.contradiction();
  const event = capacity.events[decision];
  if (event === undefined) throw transactionErrors.onlyForOrion();
  if (!mayHappen(current, event)) throw transactionErrors.notPending();
  return event;
}

type Evidence = {
  readonly attestation: Attestation | null;
  readonly reportHash: Hex | null;
  /** The service that the signer was compared with. */
  readonly serviceId: number | null;
  readonly bundle?: Bundle | undefined;
};

const isName = /^[\w .:/-]{1,100}$/;
const nameIn = (report: Wanted["report"], member: string): string | null => {
  const name = report?.[member];
  return typeof name === "string" && isName.test(name) ? name : null;
};

/**
 * Returns what a verdict adds to the transaction besides the decision. For encrypted proposals, only what is
 * needed to watch for them.
 */
function learn({ form }: Transaction, { report }: Wanted, { attestation }: Evidence): Facts {
  if (form !== "sealed")
    return {
      verdictAt: "now",
      protocol: nameIn(report, "protocol"),
      failureNode: nameIn(report, "primary_failure_node"),
    };
  if (attestation === null) return { verdictAt: "now" };
  const { verdict } = attestation;
  if ("shape" in verdict) {
    const { shape, signingHash } = verdict;
    return { verdictAt: "now", shaped: { shape, signingHash } };
  }
  const { to, value, dataHash } = verdict;
  return { verdictAt: "now", expected: { to, value: BigInt(value), dataHash } };
}

function changeOf(
  event: LifecycleEvent,
  current: Transaction,
  { capacity, wanted, evidence }: Deciding,
): Change {
  const { events: _events, ...who } = capacity;
  const { decision, reason, confidence = null, analysis = reason ?? null, report } = wanted;
  const { attestation, reportHash, serviceId, bundle } = evidence;
  if (attestation !== null && current.serviceId !== serviceId)
    throw transactionErrors.wrongAttestation({
      message: "attestation: made before a service was assigned",
    });
  // Null for the verdict itself, which is recorded only while there is no other.
  const verdictSeen = current.orion;
  const approval = {
    id: newId(),
    ...who,
    decision,
    confidence,
    analysis,
    attestation,
    reportHash,
    verdictSeen,
  };
  return {
    events: [event],
    approval,
    ...(capacity.kind === "orion" ? { facts: learn(current, wanted, evidence) } : {}),
    ...(report === undefined ? {} : { report }),
    ...(bundle === undefined ? {} : { bundle }),
  };
}

type Deciding = { readonly capacity: Capacity; readonly wanted: Wanted; readonly evidence: Evidence };

/** Makes the decision through the given transition, and returns the stored result. */
async function enact(
  deciding: Deciding,
  change: (rule: Rule) => Promise<Changed | undefined>,
): Promise<{ readonly changed: Changed; readonly approval: Approval }> {
  const { capacity, wanted } = deciding;
  let earlier: Approval | undefined;
  const changed = await change((current, approvals) => {
    earlier = earlierOf(capacity, current, approvals);
    const event = findEvent(current, earlier, { capacity, decision: wanted.decision });
    return event === undefined ? undefined : changeOf(event, current, deciding);
  });
  const approval = changed?.approval ?? earlier;
  if (changed === undefined || approval === undefined) throw transactionErrors.notFound();
  return { changed, approval };
}

const noEvidence: Evidence = { attestation: null, reportHash: null, serviceId: null };

const makeGather =
  ({ checkAttestation, requireAttestation }: Pick<Parts, "checkAttestation" | "requireAttestation">) =>
  async (transaction: Transaction, { kind }: Capacity, wanted: Wanted): Promise<Evidence> => {
    if (kind !== "orion") return noEvidence;
    const { decision, attestation: sent, report } = wanted;
    const { serviceId } = transaction;
    const bundle = wanted.bundle === undefined ? undefined : checkBundle(wanted.bundle, report);
    if (sent === undefined) {
      await requireAttestation(transaction, decision);
      const reportHash = report === undefined ? null : hashReport(report);
      return { attestation: null, reportHash, serviceId, bundle };
    }
    const { attestation } = await checkAttestation(transaction, { decision, attestation: sent, report });
    return { attestation, reportHash: attestation.verdict.reportHash, serviceId, bundle };
  };

type By = { readonly caller: Decider; readonly idempotencyKey: string | undefined };
type Answer = {
  readonly status: 201;
  readonly body: ApprovalRecord;
  readonly headers: Readonly<Record<string, string>>;
};

/** The single entry point for every external decision. */
export const makeDecide = ({ store, transition, accounts, idempotently, ...verdicts }: Parts) => {
  const gather = makeGather(verdicts);
  const queue = makeQueueByKey();
  /**
   * Verdicts of type 2 lock the account's ledger. They wait for it here, without a database connection, and before
   * their signatures are checked: a hundred checks in a row would keep the process from using its connections.
   */
  const inLine = <T>({ executionType, account }: Transaction, { kind }: Capacity, work: () => Promise<T>) =>
    kind === "orion" && executionType === 2 ? queue(account, work) : work();

  async function record(
    transaction: Transaction,
    capacity: Capacity,
    { wanted, by: { caller, idempotencyKey: key } }: { readonly wanted: Wanted; readonly by: By },
  ): Promise<Answer> {
    const { requestHash } = transaction;
    const deciding = { capacity, wanted, evidence: await gather(transaction, capacity, wanted) };
    const owner = await accounts.find(transaction.account);
    if (owner === undefined) throw new Error("a transaction without a user");
    const operation = `POST /transactions/${requestHash}/approvals`;
    let changed: Changed | undefined;
    const answer = await idempotently(
      { principal: principalOf(caller), key, operation, body: wanted, isSeveralStatements: true },
      async (tx) => {
        const done = await enact(deciding, (rule) => transition.changeWithin(tx, { requestHash }, rule));
        changed = done.changed;
        return {
          status: 201 as const,
          body: approvalRecord(done.approval, owner, done.changed.after.policy),
        };
      },
    );
    await transition.announce(changed);
    return answer;
  }

  return async function decide(requestHash: Hex, wanted: Wanted, by: By): Promise<Answer> {
    checkRequest(requestHash, wanted, by.caller);
    const transaction = await store.find(requestHash);
    if (transaction === undefined) throw transactionErrors.notFound();
    const capacity = capacityOf(by.caller, transaction);
    return inLine(transaction, capacity, () => record(transaction, capacity, { wanted, by }));
  };
};
