/** Options of a guard for the simulation just before it sends. */
export type FreshOptions = {
  /**
   * Whether to simulate each approved transaction on the newest block before it is sent, and to stop if the result is outside the bounds in the
   * report. Default: true. Without bounds in the report, or if the node cannot simulate, it is sent nevertheless.
   */
  readonly fresh?: boolean;
  /** Refuse to send what could not be simulated again. Default: false. */
  readonly requireFresh?: boolean;
  /**
   * Called with the reason if a transaction is sent although it could not be simulated again. Default: prints one line to stderr, except if the report
   * has no bounds, because then there is nothing to compare with.
   */
  readonly onNotFresh?: (why: string) => void;
};
