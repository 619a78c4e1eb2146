// Options of every request.
/** Options of every call. Aborting `signal` rejects with its reason. */
export type RequestOptions = { readonly signal?: AbortSignal };

/** Options of calls that change something. */
export type SendOptions = RequestOptions & {
  /** Repeating a call with the same key does not repeat its effect. Default: a random key per call. */
  readonly idempotencyKey?: string;
};
