import type { Account } from "../accounts/index.ts";
import type { Hex, Payload, Shape } from "@countersign/wire";
import type { NeedsOwner } from "./grant/needs-owner.ts";
import type { PolicyDecision } from "./grant/policy-decision.ts";
import type { ExecutionType, Lifecycle, Verdict } from "./lifecycle.ts";
import type { Use } from "./uses/index.ts";

/** Its way to a verdict. */
export const verificationFlow = "verification";
/** Its execution, if the service sends it. Proposals from before 0040 have their whole way in it. */
export const transactionFlow = "transaction";

/**
 * standard: we encrypt it at once. sealed: the sender encrypted it, and we never see the content. unsealed:
 * an administrator's direct transaction, which leaves no public trace.
 */
export type Form = "standard" | "sealed" | "unsealed";

/** The call that would be signed. */
export type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

/** Compares byte for byte. An encrypted proposal has no call to compare. */
export const isSameCall = (one: Call | null, other: Call): boolean =>
  one !== null && one.to === other.to && one.value === other.value && one.data === other.data;

/** The transaction on the chain that executed it. */
export type Execution = { readonly hash: Hex; readonly block: bigint; readonly blockHash: Hex };

export type Transaction = Lifecycle & {
  readonly id: string;
  readonly account: Account;
  readonly escrow: Hex;
  readonly requestHash: Hex;
  readonly chainId: number;
  /** Whether there is a node for its chain, so that its execution is seen. */
  readonly isWatched: boolean;
  readonly form: Form;
  /** `key:<id>`, `jwt:<account>` or `oauth:<client>`: never decisive about its own proposal. */
  readonly proposer: string;
  readonly description: string;
  /** Null if the sender encrypted it, and for other shapes. */
  readonly tx: Call | null;
  /** Null for a transaction, and while only the verification service knows. */
  readonly shape: Shape | null;
  /** The data to sign, for other shapes than a transaction. Null if the sender encrypted it. */
  readonly payload: Payload | null;
  /** The exact hash that would be signed. Known together with the shape. */
  readonly signingHash: Hex | null;
  /** The values that the chain watch compares. Known for encrypted ones once there is a verdict. */
  readonly expected: { readonly to: Hex; readonly value: bigint; readonly dataHash: Hex } | null;
  readonly intentProvenance: "user-signed" | "agent-claimed";
  readonly deadline: Date;
  readonly salt: Hex;
  readonly serviceId: number | null;
  readonly contentDigest: Hex | null;
  readonly version: number;
  readonly expiresAt: Date | null;
  /** Past its time by the database's clock, whether or not the sweeper has run. */
  readonly isOverdue: boolean;
  readonly supersedes: string | null;
  readonly execution: Execution | null;
  /** The kind of proof of its use, once it is released. Null: not released, or no use can be proven. */
  readonly useKind: string | null;
  /** Whether the released signature was used. Null while nothing is known. */
  readonly use: Use | null;
  /** Why it failed, for its owner, where the reason alone does not explain it. */
  readonly reasonDetail: string | null;
  /** Why the owner is asked, or was, although it could have been approved without them. */
  readonly needsOwner: NeedsOwner | null;
  /** The mandate under which it was approved without its owner. */
  readonly mandateId: string | null;
  /** The decision of the owner's policy. Null if there was no policy. */
  readonly policyDecision: PolicyDecision | null;
  readonly protocol: string | null;
  readonly failureNode: string | null;
  readonly verdictAt: Date | null;
  /** When the owner was reminded that it expires soon. */
  readonly remindedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Members that go into the encrypted content and nowhere else. */
export type Extras = {
  readonly contextLogs?: Readonly<Record<string, unknown>>;
  readonly intentSignature?: { readonly signature: Hex; readonly nonce: Hex; readonly expiresAt: number };
};

export type NewTransaction = Pick<
  Transaction,
  | "id"
  | "account"
  | "escrow"
  | "requestHash"
  | "chainId"
  | "form"
  | "proposer"
  | "description"
  | "tx"
  | "payload"
  | "signingHash"
  | "intentProvenance"
  | "deadline"
  | "salt"
  | "serviceId"
  | "supersedes"
> & {
  readonly lifecycle: Lifecycle;
  /** The nonce of the owner's signature over the intent, if any: it counts once. */
  readonly intentNonce?: { readonly nonce: Hex; readonly expiresAt: number } | undefined;
  /** Null when it is already encrypted. */
  readonly extras: Extras | null;
  /** Stored for those who may read the transaction, in addition to the copy in `extras`. */
  readonly contextLogs?: Readonly<Record<string, unknown>> | undefined;
  /** The encrypted payload, if there is one yet. */
  readonly envelope: { readonly bytes: Uint8Array; readonly digest: Hex } | null;
};

export type Approval = {
  readonly id: string;
  readonly transactionId: string;
  /** user: the owner in person. key: an API key. orion: the verdict. */
  readonly kind: "user" | "key" | "orion";
  readonly decision: Verdict;
  readonly type: "user_ui" | "user" | "admin" | "orion";
  /** The account, or the key's id. Null for our own verdict when none came in time. */
  readonly approver: string | null;
  readonly apiKeyId: string | null;
  readonly label: "agent" | "arbiter" | "user" | "orion" | null;
  readonly confidence: number | null;
  /** Of a verdict, or why the owner rejected it. */
  readonly analysis: string | null;
  /** The signed verdict, as received. */
  readonly attestation: unknown;
  readonly reportHash: Hex | null;
  /** The stored verdict when the decision was made. Null if there was none yet, or if this is the verdict. */
  readonly verdictSeen: Verdict | null;
  readonly createdAt: Date;
};

export type NewApproval = Omit<Approval, "transactionId" | "createdAt">;

export type { ExecutionType, Hex };
