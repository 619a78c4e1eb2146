-- How an agent gets a key without copying one by hand: it asks for a code, its owner approves the code in the
-- browser, the agent fetches the key once. The code is stored as its SHA-256, the key not at all: it is derived from
-- the code and a secret of the service, so this table is not enough to poll or to derive the key.
create table connections (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  -- S256 of a verifier that only the initiator knows. With it, the code alone, which appears in a URL, fetches
  -- nothing.
  code_challenge text check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  status text not null default 'pending' check (status in ('pending', 'ready', 'consumed', 'expired')),
  -- Who started it, shown to the owner who is asked to approve.
  initiator_ip text not null,
  user_agent text not null check (char_length(user_agent) <= 256),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Set by the approval. Before it, a connection has no account.
  account text references users (account),
  key_id uuid references api_keys (id),
  -- The secret that the key was derived from. Another may be current when it is fetched.
  secret_id uuid references secrets (id),
  approver_ip text,
  approved_at timestamptz,
  consumed_at timestamptz,
  check (num_nulls(account, key_id, secret_id, approver_ip, approved_at) in (0, 5)),
  check (status = 'expired' or (status = 'pending') = (key_id is null)),
  check ((status = 'consumed') = (consumed_at is not null))
);
create index connections_due on connections (expires_at) where status in ('pending', 'ready');
create index connections_never_approved on connections (expires_at) where status = 'expired' and key_id is null;
