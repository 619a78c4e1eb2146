// Exit codes are stable: scripts rely on them.
export const exitCodes = {
  /** Done, approved, passed or valid. */
  done: 0,
  /** An unexpected error. */
  unexpected: 1,
  /** Wrong usage, or invalid input according to the service. */
  usage: 2,
  /** Not signed in, or the credential was refused. */
  notSignedIn: 3,
  /** Rejected, or an invalid receipt. */
  no: 4,
  /** Pending, undecided, waiting for the owner, or timed out. */
  undecided: 5,
  notFound: 6,
  /** The service is unreachable or failing. */
  unreachable: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
