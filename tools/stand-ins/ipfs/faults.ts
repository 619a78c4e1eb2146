// The ways in which the stand-ins can be told to misbehave.
type Behaviour =
  | "good"
  /** Every request: 503 (pinning service) or 500 (Kubo). */
  | "down"
  /** Every request: the credential is refused. */
  | "refuses"
  /** Every request: the connection is closed without an answer, after the work was done. */
  | "drops"
  /** A pin ends as `failed`. */
  | "fails"
  /** A pin stays `queued`. */
  | "stuck"
  /** Another CID is reported than the one asked about. */
  | "other-cid"
  /** A body that is not what the API describes. */
  | "nonsense";

export type Faults = {
  /** Without a number, until the next call. */
  readonly behave: (how: Behaviour, times?: number) => void;
  /** Whether this fault is in force; uses it up by one. */
  readonly take: (how: Behaviour) => boolean;
};

export function makeFaults(): Faults {
  let inForce: { readonly how: Behaviour; left: number } = { how: "good", left: Infinity };
  return {
    behave: (how, times = Infinity) => {
      inForce = { how, left: times };
    },
    take: (how) => {
      if (inForce.how !== how || inForce.left <= 0) return false;
      inForce.left -= 1;
      return true;
    },
  };
}
