-- Known users. An account is an Ethereum address, always in lower case. It is in every table that belongs to a user,
-- because the database would be sharded by it.
create table users (
  id uuid primary key,
  account text not null unique check (account ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz not null default now()
);

-- Challenges to be signed. Valid once, for one address, for five minutes. An account is not required.
create table sign_in_nonces (
  nonce text primary key,
  account text not null check (account ~ '^0x[0-9a-f]{40}$'),
  expires_at timestamptz not null
);
create index sign_in_nonces_of_account on sign_in_nonces (account, expires_at);

-- A sign-in on one device, and its family of refresh tokens. Ending it ends all its tokens at once.
create table sessions (
  id uuid primary key,
  account text not null references users (account),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- It ends here, however often it is refreshed.
  ends_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logout', 'logout-all', 'reuse', 'revoked')),
  check ((ended_at is null) = (end_reason is null))
);
create index sessions_of_account on sessions (account, created_at);

-- Refresh tokens by their id. The token itself is signed and not stored, so this table is not enough to make one.
create table refresh_tokens (
  id uuid primary key,
  account text not null,
  session_id uuid not null references sessions (id),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);

-- Who executes an account's transactions: 0 the user directly, 1 the user after approval, 2 the agent after approval.
create table settings (
  id uuid primary key,
  account text not null unique references users (account),
  execution_type smallint not null default 1 check (execution_type in (0, 1, 2)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
