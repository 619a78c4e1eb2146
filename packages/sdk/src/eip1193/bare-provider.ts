/** Any EIP-1193 provider, for example `window.ethereum`. */
export type BareProvider = {
  /** Sends a request to the wallet. */
  readonly request: (asked: never) => Promise<unknown>;
  /** Adds a listener. Optional: without it, the guarded provider has no events. */
  readonly on?: unknown;
  /** Removes a listener. */
  readonly removeListener?: unknown;
};
