// The life of a proposal, as data and pure functions without side effects. Transactions change only according to
// these rules, and the tests explore every state that they allow.

/** The public status, derived from the phase. */
export type Status = "PENDING" | "APPROVED" | "REJECTED" | "EXECUTED" | "FAILED";

export const statusOfPhase = {
  RECEIVED: "PENDING",
  PINNED: "PENDING",
  REGISTERED: "PENDING",
  /** The verdict has taken effect; the owner is asked. */
  AWAITING: "PENDING",
  /** May be executed. */
  READY: "APPROVED",
  /** Our intent to execute is durable; nothing has been sent yet. */
  EXECUTING: "APPROVED",
  BROADCAST: "APPROVED",
  /** In a block that is not final. */
  CONFIRMING: "APPROVED",
  /** The approval expired, and it is unknown whether it was executed. */
  LAPSED: "APPROVED",
  REJECTED: "REJECTED",
  EXECUTED: "EXECUTED",
  SETTLED: "EXECUTED",
  FAILED: "FAILED",
} as const satisfies Readonly<Record<string, Status>>;

export type Phase = keyof typeof statusOfPhase;

type YesOrNo = "APPROVED" | "REJECTED";
export type Verdict = YesOrNo | "UNDECIDED";
export type ExecutionType = 0 | 1 | 2;

type Reason =
  | "ORION"
  | "USER"
  | "ADMIN"
  | "AGENT"
  /** The owner's policy denies it. */
  | "POLICY"
  | "EXPIRED"
  | "SUPERSEDED"
  | "WITHDRAWN"
  | "PREFLIGHT"
  | "REVERTED"
  | "REPLACED"
  | "MISMATCH"
  /** The keeper of the wallet did not send it. */
  | "CUSTODY"
  /** The chain was not watched, or not every call of the wallet can be seen. */
  | "UNWATCHED";

type Alert = "EXECUTED_WITHOUT_APPROVAL" | "MISMATCH" | "EXECUTED_TWICE";

/** Fixed when it is proposed: later changes of the settings do not affect it. */
export type Policy = {
  /** Type 2: whether the owner must approve as well. */
  readonly requireUser: boolean;
  /** Type 0: whether an administrator's approval is sufficient while there is no verdict. */
  readonly adminMayApprove: boolean;
  /** Whether the owner's or agent's own wallet sends it. Otherwise we do, through the wallet's keeper. */
  readonly external: boolean;
};

export type Lifecycle = {
  readonly executionType: ExecutionType;
  readonly policy: Policy;
  readonly phase: Phase;
  /** The verdict. It may come before the proposal is registered, and takes effect then. */
  readonly orion: Verdict | null;
  /**
   * The owner's decision that counts. UNDECIDED clears an earlier approval: the owner had no report and is
   * asked again.
   */
  readonly user: YesOrNo | null;
  readonly admin: YesOrNo | null;
  /** The owner's API keys. Their approval is recorded without effect. */
  readonly agent: YesOrNo | null;
  /** Type 2: the service found nothing that needs the owner. Without it the owner decides. */
  readonly granted: boolean;
  readonly verdictFresh: boolean;
  readonly nonceHeld: boolean;
  /**
   * released: a signature was handed over, and no use is known. useSeen: its use is in a block that is not final. used: that
   * block is final. unused: it was not used, and cannot be any more.
   */
  readonly onchain: "success" | "revert" | "mismatch" | "released" | "useSeen" | "used" | "unused" | null;
  readonly final: boolean;
  readonly reason: Reason | null;
  /** Executed after it had expired. */
  readonly late: boolean;
  readonly alert: Alert | null;
  /** How many different transactions we have sent for it. */
  readonly execs: number;
};

export const begin = (executionType: ExecutionType, policy: Policy): Lifecycle => ({
  executionType,
  policy,
  phase: "RECEIVED",
  orion: null,
  user: null,
  admin: null,
  agent: null,
  granted: false,
  verdictFresh: true,
  nonceHeld: false,
  onchain: null,
  final: false,
  reason: null,
  late: false,
  alert: null,
  execs: 0,
});

export const statusOf = ({ phase }: Pick<Lifecycle, "phase">): Status => statusOfPhase[phase];

export const isPending = (state: Lifecycle): boolean => statusOf(state) === "PENDING";
/** Whether no further decision is possible. */
export const isTerminal = (state: Pick<Lifecycle, "phase">): boolean =>
  state.phase === "LAPSED" || ["REJECTED", "EXECUTED", "FAILED"].includes(statusOf(state));

/** Approved, and not seen in a block yet. */
export const mayBeSent = ({ phase }: Pick<Lifecycle, "phase">): boolean =>
  ["READY", "EXECUTING", "BROADCAST"].includes(phase);

/** Whether a verdict may take effect. Types 1 and 2 leave their public trace first. */
const takesVerdict = (state: Lifecycle): boolean =>
  isPending(state) &&
  (state.phase === "REGISTERED" || state.phase === "AWAITING" || state.executionType === 0);

const needsUser = ({ executionType, orion, policy, granted }: Lifecycle): boolean =>
  orion === "UNDECIDED" || executionType === 1 || (executionType === 2 && (policy.requireUser || !granted));

const adminIsEnough = ({ executionType, policy, admin, orion }: Lifecycle): boolean =>
  orion === null && executionType === 0 && policy.adminMayApprove && admin === "APPROVED";

/** Whether everything that an approval needs is there. */
function isSatisfied(state: Lifecycle): boolean {
  if ([state.orion, state.user, state.admin, state.agent].includes("REJECTED")) return false;
  if (adminIsEnough(state)) return true;
  return state.orion !== null && takesVerdict(state) && (!needsUser(state) || state.user === "APPROVED");
}

/** An owner may have sent it before it was approved. Then it is already in a block. */
const settle = (state: Lifecycle): Lifecycle =>
  isPending(state) && isSatisfied(state)
    ? { ...state, phase: state.onchain === "success" ? "CONFIRMING" : "READY" }
    : state;

const reject = (state: Lifecycle, reason: Reason): Lifecycle => ({ ...state, phase: "REJECTED", reason });

/** Applies a stored verdict once it may take effect. */
function takeVerdict(state: Lifecycle): Lifecycle {
  if (state.orion === null || !takesVerdict(state)) return state;
  return state.orion === "REJECTED" ? reject(state, "ORION") : settle({ ...state, phase: "AWAITING" });
}

const recordVerdict = (orion: Verdict): Transition => ({
  when: (state) => isPending(state) && state.orion === null,
  then: (state) => takeVerdict({ ...state, orion, user: orion === "UNDECIDED" ? null : state.user }),
});

/** True until our intent to execute is durable. */
const mayStillRefuse = (state: Lifecycle): boolean => isPending(state) || state.phase === "READY";

type Transition = {
  /** If false, the event changes nothing: repeated and reordered deliveries are harmless. */
  readonly when: (state: Lifecycle) => boolean;
  readonly then: (state: Lifecycle) => Lifecycle;
};

const failed = (state: Lifecycle, reason: Reason): Lifecycle => ({
  ...state,
  phase: "FAILED",
  nonceHeld: false,
  reason,
});

export const transitions = {
  pin: { when: ({ phase }) => phase === "RECEIVED", then: (state) => ({ ...state, phase: "PINNED" }) },
  register: {
    when: ({ phase }) => phase === "PINNED",
    then: (state) => takeVerdict({ ...state, phase: "REGISTERED" }),
  },

  verdictApproved: recordVerdict("APPROVED"),
  verdictRejected: recordVerdict("REJECTED"),
  verdictUndecided: recordVerdict("UNDECIDED"),

  /** Approves type 2 without the owner. An omitted check therefore means that the owner is asked. */
  grant: {
    when: ({ phase, executionType, policy, orion, user, granted }) =>
      phase === "AWAITING" &&
      executionType === 2 &&
      !policy.requireUser &&
      orion === "APPROVED" &&
      user === null &&
      !granted,
    then: (state) => settle({ ...state, granted: true }),
  },
  /** The owner's policy denies what would otherwise be approved without the owner. */
  policyDenies: {
    when: (state) => awaitsGrant(state),
    then: (state) => reject(state, "POLICY"),
  },
  /** The permission under which it was approved has ended, and it was not sent. It is decided again. */
  reopen: {
    when: ({ phase, granted }) => phase === "READY" && granted,
    then: (state) => ({ ...state, phase: "AWAITING", granted: false }),
  },

  userApproves: {
    when: (state) => isPending(state) && state.user === null,
    then: (state) => settle({ ...state, user: "APPROVED" }),
  },
  /** Also cancels an approval, until execution has begun. */
  userRejects: {
    when: mayStillRefuse,
    then: (state) => reject({ ...state, user: "REJECTED" }, "USER"),
  },
  adminApproves: {
    when: (state) => isPending(state) && state.admin === null,
    then: (state) => settle({ ...state, admin: "APPROVED" }),
  },
  adminRejects: {
    when: mayStillRefuse,
    then: (state) => reject({ ...state, admin: "REJECTED" }, "ADMIN"),
  },
  agentApproves: {
    when: (state) => isPending(state) && state.agent === null,
    then: (state) => ({ ...state, agent: "APPROVED" }),
  },
  agentRejects: {
    when: mayStillRefuse,
    then: (state) => reject({ ...state, agent: "REJECTED" }, "AGENT"),
  },
  supersede: { when: isPending, then: (state) => reject(state, "SUPERSEDED") },
  withdraw: { when: isPending, then: (state) => reject(state, "WITHDRAWN") },

  expirePending: { when: isPending, then: (state) => reject(state, "EXPIRED") },
  verdictGoesStale: {
    when: (state) => state.verdictFresh && state.orion !== null && mayStillRefuse(state),
    then: (state) => ({ ...state, verdictFresh: false }),
  },
  /** Its chain was watched the whole time, and it was not executed. */
  expireReady: { when: ({ phase }) => phase === "READY", then: (state) => failed(state, "EXPIRED") },
  /** It expired, and it is unknown whether it was executed: nothing is claimed. */
  lapse: {
    when: ({ phase }) => phase === "READY",
    then: (state) => ({ ...state, phase: "LAPSED", reason: "UNWATCHED" }),
  },

  /** A signature is handed over, once. From here on its holder may use it. */
  release: {
    when: ({ phase, policy, verdictFresh, alert, onchain }) =>
      phase === "READY" && policy.external && verdictFresh && alert === null && onchain === null,
    then: (state) => ({ ...state, phase: "EXECUTED", onchain: "released", final: true }),
  },
  // The use of a released signature. The status stays EXECUTED, because a release is not undone.
  seeUse: {
    when: ({ onchain }) => onchain === "released",
    then: (state) => ({ ...state, onchain: "useSeen" }),
  },
  /** Its block is gone. */
  loseUse: {
    when: ({ onchain }) => onchain === "useSeen",
    then: (state) => ({ ...state, onchain: "released" }),
  },
  confirmUse: {
    when: ({ onchain }) => onchain === "useSeen",
    then: (state) => ({ ...state, onchain: "used" }),
  },
  /** A final block shows that it was not used and cannot be any more: it counts no longer. */
  endUnused: {
    when: ({ onchain }) => onchain === "released",
    then: (state) => ({ ...state, onchain: "unused" }),
  },

  // Transactions that we send. The intent is durable before anything leaves the process.
  /** An administrator has it sent for the owner, whose wallet has not sent it. */
  handOver: {
    when: ({ phase, policy, alert }) => phase === "READY" && policy.external && alert === null,
    then: (state) => ({ ...state, policy: { ...state.policy, external: false } }),
  },
  /** Not while it is flagged: a transaction sent without us may reappear in a block. */
  startExecution: {
    when: ({ phase, policy, verdictFresh, alert }) =>
      phase === "READY" && !policy.external && verdictFresh && alert === null,
    then: (state) => ({ ...state, phase: "EXECUTING", nonceHeld: true }),
  },
  failPreflight: {
    when: ({ phase }) => phase === "EXECUTING",
    then: (state) => ({ ...failed(state, "PREFLIGHT"), final: true }),
  },
  /** From here on it may have been sent, whatever the answer. */
  broadcast: {
    when: ({ phase }) => phase === "EXECUTING",
    then: (state) => ({ ...state, phase: "BROADCAST", execs: state.execs + 1 }),
  },

  /** The keeper says that it will not send it. The chain takes precedence: see `seeLateSuccess`. */
  custodyFails: {
    when: ({ phase, onchain }) => phase === "BROADCAST" && onchain === null,
    then: (state) => failed(state, "CUSTODY"),
  },

  // Sightings on the chain. An owner may send at any time, approved or not, also when we were to send it.
  seeSuccess: {
    when: ({ onchain, phase }) => onchain === null && !["FAILED", "LAPSED", "EXECUTING"].includes(phase),
    then: (state) =>
      state.phase === "BROADCAST" || state.phase === "READY"
        ? { ...state, phase: "CONFIRMING", onchain: "success" }
        : { ...state, onchain: "success", alert: "EXECUTED_WITHOUT_APPROVAL" },
  },
  seeRevert: {
    when: ({ onchain, phase }) => onchain === null && (phase === "BROADCAST" || phase === "READY"),
    then: (state) => ({ ...state, phase: "CONFIRMING", onchain: "revert" }),
  },
  seeMismatch: {
    when: ({ onchain, phase }) => onchain === null && phase === "BROADCAST",
    then: (state) => ({ ...state, phase: "CONFIRMING", onchain: "mismatch", alert: "MISMATCH" }),
  },
  /**
   * An owner's wallet sent another call to the same destination while this one was approved, or the keeper
   * has another call on record. Changes no state, but raises an alert.
   */
  noticeMismatch: {
    when: ({ phase, policy, alert }) =>
      alert === null && (policy.external ? phase === "READY" : phase === "BROADCAST"),
    then: (state) => ({ ...state, alert: "MISMATCH" }),
  },
  /**
   * The same call was executed again without a proposal: one approval was used twice. Changes no state, but
   * raises an alert.
   */
  noticeRepetition: {
    when: ({ alert, onchain }) => alert === null && onchain === "success",
    then: (state) => ({ ...state, alert: "EXECUTED_TWICE" }),
  },
  reorganise: {
    when: ({ phase, final }) => phase === "CONFIRMING" && !final,
    then: (state) => ({ ...state, phase: state.execs === 0 ? "READY" : "BROADCAST", onchain: null }),
  },
  finalize: {
    when: ({ phase, final }) => phase === "CONFIRMING" && !final,
    then: (state) =>
      state.onchain === "success"
        ? { ...state, phase: "EXECUTED", final: true, nonceHeld: false }
        : { ...failed(state, state.onchain === "revert" ? "REVERTED" : "MISMATCH"), final: true },
  },
  loseNonce: {
    when: ({ phase, onchain }) => phase === "BROADCAST" && onchain === null,
    then: (state) => ({ ...failed(state, "REPLACED"), final: true }),
  },
  /** The only way out of FAILED and LAPSED: the transaction was executed, and the chain takes precedence. */
  seeLateSuccess: {
    when: ({ phase, reason, final, policy }) =>
      !final &&
      (phase === "LAPSED" ||
        (phase === "FAILED" && (reason === "CUSTODY" || (reason === "EXPIRED" && policy.external)))),
    then: (state) => ({
      ...state,
      phase: "EXECUTED",
      final: true,
      onchain: "success",
      late: true,
      nonceHeld: false,
    }),
  },
  settleExecution: {
    when: ({ phase, final }) => phase === "EXECUTED" && final,
    then: (state) => ({ ...state, phase: "SETTLED" }),
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type LifecycleEvent = keyof typeof transitions;

/** Returns the state after the event, or the same object if the event changes nothing. */
export function apply(state: Lifecycle, event: LifecycleEvent): Lifecycle {
  const { when, then } = transitions[event];
  return when(state) ? then(state) : state;
}

/** Whether the owner is asked unless the service grants it. */
export const awaitsGrant = (state: Lifecycle): boolean => transitions.grant.when(state);

/** Whether it was handed over to a wallet, used or not. */
export const isReleased = ({ onchain }: Pick<Lifecycle, "onchain">): boolean =>
  onchain === "released" || onchain === "useSeen" || onchain === "used" || onchain === "unused";

/** held: approved, and it may still be executed. made: it was executed. released: it was not, and counts no more. */
export type Use = "held" | "made" | "released";

/**
 * Returns how a request counts as used. Null while it is undecided. Derived from the state, so that the two
 * cannot disagree. A lapsed one stays held, because it may have been executed.
 */
export function useOf(state: Lifecycle): Use | null {
  if (isPending(state)) return null;
  if (state.onchain === "unused") return "released";
  if (state.onchain === "success" || isReleased(state)) return "made";
  return ["REJECTED", "FAILED"].includes(statusOf(state)) ? "released" : "held";
}
