/** The settings of the operator that some kinds of channels need. */
export type Configured = {
  /** Whether there is a mail server. */
  readonly hasMail: boolean;
  /** The key that browsers subscribe with. Null: there is none. */
  readonly pushKey: string | null;
};
