// Rules as code that narrow what agents do without their owner.
import type {
  Policy,
  PolicyCheck,
  PolicyCounterexamples,
  PolicyDryRun,
  PostPoliciesCheckData,
  PostPoliciesCounterexamplesData,
  PostPoliciesDraftResponse,
  PostPoliciesDryRunData,
  GetPoliciesSchemaResponse,
} from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Hex } from "./types.ts";

/** The owner's part of a policy: rules in Cedar, and the time zone for rules about hours. Default: UTC. */
export type PolicyDraft = { readonly text: string; readonly timeZone?: string };

/** A signed version of a policy. `signPolicy` of `/viem` makes the signature. */
export type SignedPolicy = { readonly terms: PostPoliciesDraftResponse["terms"]; readonly signature: Hex };

/** Calls about policies. All need a session or the owner's signature. */
export type Policies = {
  /** Returns the Cedar schema, and rules to start from. */
  readonly schema: (options?: RequestOptions) => Promise<GetPoliciesSchemaResponse>;
  /** Checks a policy and runs its tests. Faults have a line and a column. Stores nothing. */
  readonly check: (
    draft: PolicyDraft & Pick<PostPoliciesCheckData["body"], "tests">,
    options?: RequestOptions,
  ) => Promise<PolicyCheck>;
  /** Runs a draft over past transactions, and compares it with a version. Stores nothing. */
  readonly dryRun: (
    draft: PolicyDraft & Pick<PostPoliciesDryRunData["body"], "days" | "against">,
    options?: RequestOptions,
  ) => Promise<PolicyDryRun>;
  /**
   * Searches for transactions that break an invariant and that the policy does not ask about. A result without one holds within
   * its `bounds` only. Stores nothing.
   *
   * @example
   * const { results } = await owner.policies.counterexamples({ text, builtIn: ["unlimited-allowance"] });
   * for (const { counterexample } of results) console.log(counterexample?.description);
   */
  readonly counterexamples: (
    draft: PolicyDraft & Pick<PostPoliciesCounterexamplesData["body"], "builtIn" | "invariants">,
    options?: RequestOptions,
  ) => Promise<PolicyCounterexamples>;
  /** Completes a policy with account and version. Stores nothing. */
  readonly draft: (draft: PolicyDraft, options?: RequestOptions) => Promise<PostPoliciesDraftResponse>;
  /**
   * Sets the policy. Needs the signature of the owner's wallet, which alone changes anything.
   *
   * @example
   * const { terms } = await owner.policies.draft({ text });
   * await owner.policies.set({ terms, signature: await signPolicy({ wallet, terms }) });
   */
  readonly set: (signed: SignedPolicy, options?: RequestOptions) => Promise<Policy>;
  /** Lists the versions, newest first. The first one counts. */
  readonly list: (options?: RequestOptions) => Promise<readonly Policy[]>;
  /** Returns a version. */
  readonly get: (version: number, options?: RequestOptions) => Promise<Policy>;
};

export function makePolicies(http: Http): Policies {
  const call = async <T>(method: "GET" | "POST", path: string, more: Parameters<Http>[1]): Promise<T> =>
    (await http<T>(`/policies${path}`, { method, ...more })).body;
  return {
    schema: ({ signal } = {}) => call("GET", "/schema", { signal }),
    check: (body, { signal } = {}) => call("POST", "/check", { body, signal }),
    dryRun: (body, { signal } = {}) => call("POST", "/dry-run", { body, signal }),
    counterexamples: (body, { signal } = {}) => call("POST", "/counterexamples", { body, signal }),
    draft: (body, { signal } = {}) => call("POST", "/draft", { body, signal }),
    set: (body, { signal } = {}) => call("POST", "", { body, signal }),
    list: ({ signal } = {}) => call("GET", "", { signal }),
    get: (version, { signal } = {}) => call("GET", `/${version}`, { signal }),
  };
}
