// Standing permissions that an owner signs for an agent.
import type {
  Mandate,
  MandateRequest,
  PostMandatesDraftData,
  PostMandatesDraftResponse,
} from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Hex } from "./types.ts";

/** The owner's part of a mandate: acts, assets, recipients, limits and how long it is valid. */
export type MandateDraft = PostMandatesDraftData["body"];

/** A signed mandate. `signMandate` of `/viem` makes the signature. */
export type SignedMandate = {
  readonly terms: Mandate["terms"];
  readonly signature: Hex;
  /** The agent's request that it grants. */
  readonly requestId?: string;
};

/** Calls about mandates. */
export type Mandates = {
  /** Completes a draft with account and nonce. Stores nothing. Needs a session. */
  readonly draft: (draft: MandateDraft, options?: RequestOptions) => Promise<PostMandatesDraftResponse>;
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
  /** Ends a mandate. Transactions that are approved already stay approved. */
  readonly revoke: (id: string, options?: RequestOptions) => Promise<Mandate>;
  /** Asks the owner for a mandate. Needs a key. It grants nothing. */
  readonly ask: (draft: MandateDraft, options?: RequestOptions) => Promise<MandateRequest>;
  /** Lists open requests for mandates. */
  readonly requests: (options?: RequestOptions) => Promise<readonly MandateRequest[]>;
  /** Declines a request as the owner, or takes it back as the agent. */
  readonly close: (requestId: string, options?: RequestOptions) => Promise<void>;
};

const pathOf = (id: string): string => `/mandates/${encodeURIComponent(id)}`;

export const makeMandates = (http: Http): Mandates => ({
  draft: async (draft, { signal } = {}) =>
    (await http<PostMandatesDraftResponse>("/mandates/draft", { method: "POST", body: draft, signal })).body,
  grant: async (signed, { signal } = {}) =>
    (await http<Mandate>("/mandates", { method: "POST", body: signed, signal })).body,
  list: async ({ signal } = {}) => (await http<readonly Mandate[]>("/mandates", { signal })).body,
  get: async (id, { signal } = {}) => (await http<Mandate>(pathOf(id), { signal })).body,
  revoke: async (id, { signal } = {}) => (await http<Mandate>(pathOf(id), { method: "DELETE", signal })).body,
  ask: async (draft, { signal } = {}) =>
    (await http<MandateRequest>("/mandates/requests", { method: "POST", body: draft, signal })).body,
  requests: async ({ signal } = {}) =>
    (await http<readonly MandateRequest[]>("/mandates/requests", { signal })).body,
  close: async (requestId, { signal } = {}) => {
    await http(`/mandates/requests/${encodeURIComponent(requestId)}`, { method: "DELETE", signal });
  },
});
