// Standing permissions that an owner signs for an agent.
import type {
  Mandate,
  MandatePreview,
  MandateRequest,
  PostMandatesDraftData,
  PostMandatesDraftResponse,
  Price,
  PostMandatesPreviewData,
} from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Hex } from "./types.ts";

/** The owner's part of a mandate: acts, assets, recipients, limits and how long it is valid. */
export type MandateDraft = PostMandatesDraftData["body"];

/** How far back a preview looks, and the mandate to compare with. */
export type MandatePreviewOptions = Pick<PostMandatesPreviewData["body"], "days" | "against"> &
  RequestOptions;

/** A signed mandate. `signMandate` of `/viem` makes the signature. */
export type SignedMandate = {
  readonly terms: Mandate["terms"];
  readonly signature: Hex;
  /** The agent's request that it grants. */
  readonly requestId?: string;
  /**
   * The id of a mandate of the same agent, which ends in the same step. Approved transactions that are not sent yet stay
   * approved if the new mandate covers them; the owner is asked again about the others.
   */
  readonly replaces?: string;
};

/** Calls about mandates. */
export type Mandates = {
  /** Completes a draft with account and nonce. Stores nothing. Needs a session. */
  readonly draft: (draft: MandateDraft, options?: RequestOptions) => Promise<PostMandatesDraftResponse>;
  /**
   * Runs a draft over the agent's past transactions, as if it had been valid then: what it would have allowed, and what the
   * owner would have been asked about. Stores nothing. Needs a session.
   *
   * @example
   * const { counts, limits } = await owner.mandates.preview(draft, { days: 30 });
   */
  readonly preview: (draft: MandateDraft, options?: MandatePreviewOptions) => Promise<MandatePreview>;
  /**
   * Grants a mandate. Needs a session, and the signature of the owner's wallet, which alone grants anything.
   *
   * @example
   * const { terms } = await owner.mandates.draft(draft);
   * await owner.mandates.grant({ terms, signature: await signMandate({ wallet, terms }) });
   */
  readonly grant: (signed: SignedMandate, options?: RequestOptions) => Promise<Mandate>;
  /** Lists mandates, newest first, also ended ones. A key sees its own. */
  readonly list: (options?: RequestOptions) => Promise<readonly Mandate[]>;
  /** Returns a mandate with the use of its limits. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Mandate>;
  /** Ends a mandate. The owner is asked again about transactions that it allowed and that are not sent yet. */
  readonly revoke: (id: string, options?: RequestOptions) => Promise<Mandate>;
  /** Asks the owner for a mandate. Needs a key. It grants nothing. */
  readonly ask: (draft: MandateDraft, options?: RequestOptions) => Promise<MandateRequest>;
  /** Lists open requests for mandates. */
  readonly requests: (options?: RequestOptions) => Promise<readonly MandateRequest[]>;
  /** Declines a request as the owner, or takes it back as the agent. */
  readonly close: (requestId: string, options?: RequestOptions) => Promise<void>;
  /** Lists the prices that limits in dollars are counted with. */
  readonly prices: (options?: RequestOptions) => Promise<readonly Price[]>;
};

export function makeMandates(http: Http): Mandates {
  const call = async <T>(
    method: "DELETE" | "GET" | "POST",
    path: string,
    more: Parameters<Http>[1],
  ): Promise<T> => (await http<T>(`/mandates${path}`, { method, ...more })).body;
  const idOf = (id: string): string => `/${encodeURIComponent(id)}`;
  return {
    draft: (body, { signal } = {}) => call("POST", "/draft", { body, signal }),
    preview: (draft, { signal, ...rest } = {}) =>
      call("POST", "/preview", { body: { ...draft, ...rest }, signal }),
    grant: (body, { signal } = {}) => call("POST", "", { body, signal }),
    list: ({ signal } = {}) => call("GET", "", { signal }),
    get: (id, { signal } = {}) => call("GET", idOf(id), { signal }),
    revoke: (id, { signal } = {}) => call("DELETE", idOf(id), { signal }),
    ask: (body, { signal } = {}) => call("POST", "/requests", { body, signal }),
    requests: ({ signal } = {}) => call("GET", "/requests", { signal }),
    close: (id, { signal } = {}) => call("DELETE", `/requests${idOf(id)}`, { signal }),
    prices: async ({ signal } = {}) => (await http<Price[]>("/prices", { signal })).body,
  };
}
