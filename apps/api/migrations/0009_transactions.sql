-- Proposals, the decisions about them, and their outcomes.

-- The verification services that a proposal can be encrypted for, mirrored from the ServiceRegistry on the home
-- chain.
create table verification_services (
  id bigint primary key check (id > 0),
  chain_id bigint not null,
  name text not null,
  inbox text not null check (inbox ~ '^0x[0-9a-f]{40}$'),
  active boolean not null,
  fingerprint text not null check (fingerprint ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'),
  key_uri text not null,
  -- Null until the key at key_uri was read and its fingerprint verified.
  armoured text check (octet_length(armoured) <= 32768),
  url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verification_services_by_inbox on verification_services (inbox);

create table transactions (
  id uuid primary key,
  account text not null references users (account),
  escrow text not null check (escrow ~ '^0x[0-9a-f]{40}$'),
  request_hash bytea not null check (octet_length(request_hash) = 32),
  chain_id bigint not null check (chain_id > 0),
  form text not null check (form in ('standard', 'sealed', 'unsealed')),
  -- The proposer, who is never decisive about it.
  proposer text not null,

  -- The intent and the call. Both are missing if the sender encrypted them.
  description text not null,
  to_address text check (to_address ~ '^0x[0-9a-f]{40}$'),
  value numeric(78, 0) check (value >= 0 and value < 2::numeric ^ 256),
  data bytea,
  data_hash bytea check (octet_length(data_hash) = 32),
  intent_provenance text not null check (intent_provenance in ('user-signed', 'agent-claimed')),
  deadline timestamptz not null,
  salt bytea not null check (octet_length(salt) = 32),
  -- Members that go into the encrypted content and nowhere else. Cleared once it is encrypted.
  unsealed_extras jsonb,

  -- The encrypted payload, and where it was published.
  service_id bigint references verification_services (id),
  envelope bytea check (octet_length(envelope) <= 262144),
  content_digest bytea check (octet_length(content_digest) = 32),

  -- The state of lifecycle.ts, member by member.
  execution_type smallint not null check (execution_type in (0, 1, 2)),
  require_user boolean not null,
  admin_may_approve boolean not null,
  external boolean not null,
  phase text not null check (phase in ('RECEIVED', 'PINNED', 'REGISTERED', 'AWAITING', 'READY', 'EXECUTING',
    'BROADCAST', 'CONFIRMING', 'REJECTED', 'EXECUTED', 'SETTLED', 'FAILED')),
  orion text check (orion in ('APPROVED', 'REJECTED', 'UNDECIDED')),
  "user" text check ("user" in ('APPROVED', 'REJECTED')),
  admin text check (admin in ('APPROVED', 'REJECTED')),
  agent text check (agent in ('APPROVED', 'REJECTED')),
  verdict_fresh boolean not null,
  nonce_held boolean not null,
  onchain text check (onchain in ('success', 'revert', 'mismatch')),
  final boolean not null,
  reason text,
  late boolean not null,
  alert text,
  execs integer not null,

  -- Counts the changes. There is one row of account_events for each.
  version integer not null default 1,
  -- When it expires without further changes: the deadline while pending, a shorter time once approved. Null when it
  -- cannot expire.
  expires_at timestamptz,
  supersedes uuid references transactions (id),

  -- The transaction on the chain that executed it, if any.
  execution_hash bytea check (octet_length(execution_hash) = 32),
  execution_block bigint,
  execution_block_hash bytea check (octet_length(execution_block_hash) = 32),

  -- From the verdict's report, for public statistics.
  protocol text,
  failure_node text,
  verdict_at timestamptz,

  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (form <> 'sealed' or num_nonnulls(data, unsealed_extras) = 0),
  check (form = 'sealed' or num_nulls(to_address, value, data, data_hash) = 0)
);
create index transactions_of_account on transactions (account, id desc);
create index transactions_superseding on transactions (supersedes) where supersedes is not null;
create index transactions_to_expire on transactions (expires_at) where expires_at is not null;
-- The calls that the chain watch looks for, which a user's wallet may send.
create index transactions_to_watch on transactions (chain_id, escrow)
  where external and not final and execution_hash is null and to_address is not null;
-- One transaction on a chain executes one proposal.
create unique index transactions_carried_out on transactions (chain_id, execution_hash) where execution_hash is not null;
create index transactions_to_confirm on transactions (chain_id, execution_block)
  where execution_hash is not null and not final and phase <> 'REJECTED';

-- The transaction of a hash. Separate, because it is distributed by hash and the transactions by account.
create table request_index (
  request_hash bytea primary key,
  account text not null,
  transaction_id uuid not null
);

-- Each decision, with its approver. A row never changes.
create table approvals (
  id uuid primary key,
  account text not null,
  transaction_id uuid not null references transactions (id),
  -- user: by the owner in person. key: by an API key. orion: the verdict.
  kind text not null check (kind in ('user', 'key', 'orion')),
  decision text not null check (decision in ('APPROVED', 'REJECTED', 'UNDECIDED')),
  type text not null check (type in ('user_ui', 'user', 'admin', 'orion')),
  -- The account or the key. Null for the verdict that the service itself records when none came in time.
  approver text,
  api_key_id uuid,
  label text check (label in ('agent', 'arbiter', 'user', 'orion')),
  confidence double precision check (confidence between 0 and 1),
  analysis text,
  attestation jsonb,
  report_hash bytea check (octet_length(report_hash) = 32),
  created_at timestamptz not null default now(),
  check (decision <> 'UNDECIDED' or kind = 'orion'),
  check ((kind = 'key') = (api_key_id is not null and kind <> 'orion'))
);
create index approvals_of_transaction on approvals (transaction_id, id);
create unique index approvals_one_verdict on approvals (transaction_id) where kind = 'orion';
create unique index approvals_once on approvals (transaction_id, approver, decision) where kind <> 'orion';

-- The validator's whole answer, for the owner. Never stored for payloads that the sender encrypted.
create table reports (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  report jsonb not null
);

-- Metadata that the verification service adds afterwards. A stored member does not change.
create table orion_metadata (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  tee_proof jsonb,
  settlement jsonb,
  updated_at timestamptz not null default now()
);

-- Every change of an account's transactions, appended in the same transaction. All notifications read this.
create table account_events (
  id bigint generated always as identity primary key,
  -- Ids are assigned before commits: to miss nothing, a reader reads only rows older than every open transaction.
  xid xid8 not null default pg_current_xact_id(),
  account text not null,
  transaction_id uuid not null,
  request_hash bytea not null,
  version integer not null,
  event text not null,
  status text not null,
  phase text not null,
  reason text,
  created_at timestamptz not null default now(),
  unique (transaction_id, version)
);
create index account_events_in_order on account_events (xid, id);
create index account_events_of_account on account_events (account, xid, id);

-- Answers given under an Idempotency-Key, committed together with their effects.
create table idempotency_keys (
  principal text not null,
  key text not null check (char_length(key) between 1 and 255),
  operation text not null,
  body_hash bytea not null check (octet_length(body_hash) = 32),
  status smallint not null,
  -- As text, so that it is repeated unchanged.
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (principal, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- How far each chain has been read. The hashes of the last blocks are stored to detect reorgs.
create table chain_cursors (
  chain_id bigint primary key,
  block_number bigint not null,
  -- [{number, hash}], newest last.
  recent jsonb not null,
  updated_at timestamptz not null default now()
);

-- Public statistics, counted from account_events by the hour.
create table agent_counts (
  account text not null,
  hour timestamptz not null,
  -- total, approved, rejected, undecided, executed, failed, protocol, failure
  metric text not null,
  -- The protocol or check. Empty for the others.
  name text not null default '',
  count bigint not null,
  primary key (account, hour, metric, name)
);
create table agent_counts_cursor (
  one boolean primary key default true check (one),
  xid xid8 not null,
  id bigint not null
);
insert into agent_counts_cursor (xid, id) values ('0', 0);
