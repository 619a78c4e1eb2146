// The tables of an owner's export. A test compares them with the database: a table with an account, and each of its columns, is
// exported or left out with a reason.

/** The parts of an owner's data that one table has. */
export type Section = {
  /** The `kind` of its lines. */
  readonly kind: string;
  readonly table: string;
  /** Beginning with `account`, these columns have an index or few rows. Together they are unique within an account. */
  readonly order: readonly string[];
  readonly shows: readonly string[];
  readonly omits?: readonly string[];
};

/** Secrets, their hashes and references to them, and columns that the service works with. The account is in the first line. */
export const sections: readonly [Section, ...Section[]] = [
  {
    ...{ kind: "account", table: "users", order: ["id"] },
    shows: ["id", "account", "created_at"],
  },
  {
    ...{ kind: "settings", table: "settings", order: ["id"] },
    shows: ["execution_type", "repeat_window_seconds", "public_profile", "created_at", "updated_at"],
    omits: ["id"],
  },
  {
    ...{ kind: "session", table: "sessions", order: ["created_at", "id"] },
    shows: [
      ...["id", "created_at", "last_used_at", "ends_at", "ended_at", "end_reason"],
      ...["user_agent", "address"],
    ],
  },
  {
    ...{ kind: "apiKey", table: "api_keys", order: ["created_at", "id"] },
    shows: [
      ...["id", "prefix", "last4", "name", "type", "label", "scopes", "active"],
      ...["expires_at", "created_at", "last_used_at", "last_used_address"],
    ],
    omits: ["hmac", "pepper_id"],
  },
  {
    ...{ kind: "oauthGrant", table: "oauth_grants", order: ["created_at", "id"] },
    shows: [
      ...["id", "client_id", "client_name", "redirect_host", "scopes"],
      ...["created_at", "last_used_at", "ends_at", "revoked_at", "revoke_reason"],
    ],
  },
  {
    ...{ kind: "pgpKey", table: "pgp_keys", order: ["registered_at", "id"] },
    shows: [
      ...["id", "fingerprint", "armoured", "signature", "registered_at", "replaced_at"],
      ...["chain_state", "transaction_hash"],
    ],
    omits: ["signature_hash"],
  },
  {
    ...{ kind: "wallet", table: "wallets", order: ["address"] },
    shows: ["id", "address", "kept_by", "display_name", "provider_user_id", "created_at"],
  },
  {
    ...{ kind: "custodian", table: "custody_integrations", order: ["id"] },
    shows: [
      ...["id", "type", "csr", "vault_account_id", "environment", "region", "wallet"],
      ...["cosigner_public_key", "created_at", "completed_at", "replaced_at"],
    ],
    omits: ["key_secret_id", "credential_secret_id"],
  },
  {
    ...{ kind: "walletProvider", table: "provider_quorums", order: ["type"] },
    shows: [
      ...["type", "display_name", "quorum_id", "threshold", "p256_public_keys", "is_static", "note"],
      ...["created_at", "updated_at"],
    ],
  },
  {
    ...{ kind: "contact", table: "contacts", order: ["address"] },
    shows: ["address", "name", "note", "created_at", "updated_at"],
    omits: ["ends", "name_key"],
  },
  {
    ...{ kind: "channel", table: "notification_channels", order: ["created_at", "id"] },
    shows: [
      ...[
        "id",
        "kind",
        "target",
        "description",
        "types",
        "agents",
        "active",
        "disabled_reason",
        "confirmed_at",
      ],
      ...["created_at", "last_delivered_at", "last_failed_at", "last_error", "failures", "failing_since"],
      ...["quiet_from", "quiet_until", "time_zone", "digest"],
    ],
    omits: [
      ...["secret_id", "previous_secret_id", "previous_until", "code_hash", "code_until", "code_attempts"],
      ...["created_xid", "due_at", "run", "lease_by", "lease_until"],
    ],
  },
  {
    ...{ kind: "agentPause", table: "agent_pauses", order: ["agent"] },
    shows: ["agent", "paused_at"],
  },
  {
    ...{ kind: "mandate", table: "mandates", order: ["agent", "created_at", "id"] },
    shows: [
      ...["id", "agent", "digest", "terms", "signature", "nonce"],
      ...["valid_from", "valid_until", "created_at", "ended_at"],
    ],
  },
  {
    ...{ kind: "mandateRequest", table: "mandate_requests", order: ["id"] },
    shows: ["id", "agent", "draft", "created_at", "closed_at"],
  },
  {
    ...{ kind: "policy", table: "policies", order: ["version"] },
    shows: ["version", "digest", "previous", "time_zone", "text", "signature", "created_at"],
  },
  {
    ...{ kind: "event", table: "account_events", order: ["xid", "id"] },
    shows: [
      ...[
        "id",
        "transaction_id",
        "request_hash",
        "version",
        "event",
        "status",
        "phase",
        "reason",
        "needs_owner",
      ],
      "created_at",
    ],
    omits: ["xid"],
  },
];

const inProposal = "is in the proposal or its receipt";
const working = "the service works with it; it says nothing that the proposals do not";

/** The tables with an account that have no section, each with its reason. */
export const leftOut: Readonly<Record<string, string>> = {
  agent_counts: "public counts, made from the events",
  approvals: inProposal,
  budget_counters: "made from the mandates and their proposals",
  budget_uses: "made from the mandates and their proposals",
  bundles: inProposal,
  connections: "a sign-in of a program; its key is an apiKey",
  context_logs: inProposal,
  cosignatures: working,
  envelopes: inProposal,
  executed_parties: "made from the proposals",
  executions: working,
  flows: working,
  intent_nonces: "deleted when they have expired",
  ledgers: "a lock",
  mandate_limits: "is in the terms of the mandate",
  mcp_sessions: "its id is a credential; deleted when it is not used",
  notifications: "repeats events; deleted after some days",
  orion_metadata: inProposal,
  own_transactions: "transactions of the service's own wallets",
  refresh_tokens: "credentials; the session has their times",
  registered: inProposal,
  release_watches: working,
  reports: inProposal,
  request_index: inProposal,
  request_uses: "made from the proposals",
  sign_in_nonces: "deleted when they have expired",
  signed_request_nonces: "deleted when they have expired",
  snapshots: working,
  transactions: "read through the transactions slice",
};
