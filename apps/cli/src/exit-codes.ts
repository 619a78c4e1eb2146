// What a script may go by. A number keeps its meaning for good.
export const exitCodes = {
  /** It is done; or the answer is yes: approved, passed, valid. */
  done: 0,
  /** Something that nobody foresaw. */
  unexpected: 1,
  /** The command was put wrongly, or the service does not take what was put into it. */
  usage: 2,
  /** Not signed in, or the credential was refused. */
  notSignedIn: 3,
  /** The answer is no: rejected, or a receipt that does not hold. */
  no: 4,
  /** Not decided: still under way, undecided, waiting for the owner, or waited for too long. */
  undecided: 5,
  notFound: 6,
  /** The service cannot be reached, or is failing. */
  unreachable: 7,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
