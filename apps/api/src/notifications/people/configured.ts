/** The settings of the operator that some kinds of channels need. */
export type Configured = {
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
  /** The key that browsers subscribe with. Null if push is not configured. */
  readonly pushKey: string | null;
};
