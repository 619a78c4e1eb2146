// What can be said beside every request.
export type RequestOptions = { readonly signal?: AbortSignal };

export type SendOptions = RequestOptions & {
  /** The same key again is the same request again. One of its own, unless it is said. */
  readonly idempotencyKey?: string;
};
