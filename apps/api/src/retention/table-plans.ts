// How each table grows, and what keeps it from growing without limit. A table without a plan fails a test and `npm run
// generate`, which writes docs/reference/data.md from this file.

/**
 * bounded: the number of rows has a limit that traffic does not move. swept: rows are deleted when they no longer count.
 * retention: rows are deleted after a time that the operator sets. kept: evidence that is never deleted by the service.
 */
export type Plan =
  | { readonly plan: "bounded"; readonly by: string }
  | { readonly plan: "swept"; readonly when: string }
  | { readonly plan: "retention"; readonly setting: RetentionSetting; readonly after: string }
  | { readonly plan: "kept"; readonly because: string; readonly perProposal: string };

export type RetentionSetting =
  "RETENTION_SESSION_DAYS" | "RETENTION_MANDATE_REQUEST_DAYS" | "RETENTION_CONTEXT_DAYS";

const bounded = (by: string): Plan => ({ plan: "bounded", by });
const swept = (when: string): Plan => ({ plan: "swept", when });
const retention = (setting: RetentionSetting, after: string): Plan => ({ plan: "retention", setting, after });
const kept = (because: string, perProposal: string): Plan => ({ plan: "kept", because, perProposal });

export const tablePlans: Readonly<Record<string, Plan>> = {
  account_events: kept("the order of all changes, which clients read from any position", "one per change"),
  agent_counts: bounded("hours with traffic × agents and outcomes of an account; proposals add to a row"),
  agent_counts_cursor: bounded("one row"),
  agent_pauses: bounded("agents of an account"),
  api_keys: bounded("keys that an owner created; approvals name them, so revoked keys stay"),
  approvals: kept("who decided what, and the signed verdict", "one per decision"),
  budget_counters: bounded("limits of mandates × their windows with spending"),
  budget_uses: kept("the spending that limits are counted with", "one per limit of its mandate"),
  bundles: kept("the inputs of a verdict, without which it cannot be repeated", "one"),
  chain_cursors: bounded("chains"),
  connections: swept(
    "a connection that its owner did not approve has expired; an approved one stays with its key",
  ),
  contacts: bounded("contacts that an owner saved"),
  context_logs: retention("RETENTION_CONTEXT_DAYS", "the proposal was made"),
  cosignatures: kept("what a custodian was told to sign", "at most one"),
  custody_integrations: bounded("custodians that an owner connected"),
  envelopes: kept("the encrypted payload, which its verification and its receipt rest on", "at most one"),
  executed_parties: kept(
    "with whom an account has dealt, which warnings about recipients need",
    "one per party",
  ),
  executions: kept(
    "the order that a custodian was given, asked before anything is sent again",
    "at most one",
  ),
  flows: swept("a flow whose key is used once finished a day ago; flows of proposals stay, one per proposal"),
  idempotency_keys: swept("the answer is older than a day"),
  intent_nonces: swept("the signed request has expired"),
  ledgers: bounded("accounts"),
  mandate_limits: bounded("limits of mandates that an owner signed"),
  mandate_requests: retention("RETENTION_MANDATE_REQUEST_DAYS", "the owner answered"),
  mandates: bounded("mandates that an owner signed; proposals name them, so ended ones stay"),
  mcp_sessions: swept("the session was not used for its lifetime, or its client has too many"),
  mcp_subscriptions: swept("its session is deleted"),
  notification_channels: bounded("channels that an owner created"),
  notifications: swept("it was delivered or given up some days ago"),
  notifications_cursor: bounded("one row"),
  oauth_clients: swept("the client was not used for long and has no grant"),
  oauth_codes: swept("its session or grant is deleted"),
  oauth_grants: swept("the grant ended some time ago"),
  oauth_refresh_tokens: swept("the token expired some time ago"),
  oauth_sessions: swept("the sign-in expired some time ago"),
  orion_metadata: kept("the proof of the enclave and the settlement of a verdict", "at most one"),
  own_transactions: kept(
    "the registrations that were sent, so that none is sent twice",
    "one per batch of registrations",
  ),
  pgp_keys: bounded("keys that an owner registered; old ones name what was encrypted to them"),
  policies: bounded("versions that an owner signed; each proves the one before"),
  prices: bounded("configured price feeds"),
  provider_quorums: bounded("providers that an owner connected"),
  refresh_tokens: retention("RETENTION_SESSION_DAYS", "its session ended"),
  registered: kept("which registration a proposal is in", "at most one"),
  registrations: kept(
    "the leaves of each recorded root, without which nothing can be proven",
    "one per batch",
  ),
  release_watches: swept("a final block shows whether it was used; one that can still be used stays"),
  reports: kept("the reasons of a verdict, whose hash the verdict signs", "one"),
  request_index: kept("a request hash is accepted once, for ever", "one"),
  request_uses: kept("a request is used once, which a second proposal is compared with", "one"),
  secrets: bounded("keys of the service, and of custodians and channels that owners connected"),
  sessions: retention("RETENTION_SESSION_DAYS", "the session ended"),
  settings: bounded("accounts"),
  sign_in_nonces: swept("the nonce has expired"),
  signed_request_nonces: swept("the signature has expired"),
  signer_nonces: bounded("the service's own wallets × chains"),
  snapshots: kept("the effects before verification, compared when a custodian sends", "at most one"),
  transactions: kept("the proposals themselves", "one"),
  users: bounded("accounts"),
  verification_services: bounded("services in the registry"),
  wallets: bounded("wallets that an owner registered"),
};
