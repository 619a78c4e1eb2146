// The ways in which the stand-in can be told to misbehave. Each is about one kind of question, and one of each kind can be
// in force at a time: an order may be taken without an answer, and then not be found either.

const kinds = {
  // About a new order. It keeps to what was in force when the order came.
  "timeout-after-accept": "order",
  "drop-after-accept": "order",
  "error-after-accept": "order",
  "other-amount-reported": "order",
  "other-amount-sent": "order",
  "other-hash": "order",
  tamper: "order",
  rejects: "order",
  fails: "order",
  "blocked-forever": "order",
  // About an order that was sent again.
  "answer-twice": "repetition",
  "answer-twice-and-send": "repetition",
  // Faults of the order status request.
  lost: "search",
  // About everything.
  refuses: "request",
  down: "request",
} as const;

type Kinds = typeof kinds;
type Fault = keyof Kinds;
export type Behaviour = "good" | Fault;
type Kind = Kinds[Fault];
/** The faults of one kind. */
export type FaultOf<K extends Kind> = { [F in Fault]: Kinds[F] extends K ? F : never }[Fault];

const faults = Object.keys(kinds) as readonly Fault[];
export const behaviours: readonly Behaviour[] = ["good", ...faults];

export type Faults = {
  /** Without a number it stays active until changed. "good" ends all of them. */
  readonly behave: (how: Behaviour, times?: number) => void;
  /** Returns the active fault for this request and counts it. */
  readonly take: <K extends Kind>(kind: K) => FaultOf<K> | undefined;
};

export function makeFaults(): Faults {
  const inForce = new Map<Kind, { readonly fault: Fault; left: number }>();
  return {
    behave: (how, times = Infinity) => {
      if (how === "good") inForce.clear();
      else inForce.set(kinds[how], { fault: how, left: times });
    },
    take: <K extends Kind>(kind: K) => {
      const found = inForce.get(kind);
      if (found === undefined || found.left <= 0) return undefined;
      found.left -= 1;
      return found.fault as FaultOf<K>;
    },
  };
}
