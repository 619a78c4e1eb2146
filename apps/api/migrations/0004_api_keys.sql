-- API keys for programs. Only a key's HMAC is stored, under a pepper that is not in this database in clear, so this
-- table is not enough to use a key or to test guesses. Server keys (ADMIN, ORION) have no account.
create table api_keys (
  id uuid primary key,
  account text references users (account),
  hmac bytea not null unique,
  pepper_id uuid not null,
  -- Enough to recognise a key, for users and logs.
  prefix text not null,
  last4 text not null,
  name text not null check (char_length(name) between 1 and 100),
  type text not null check (type in ('user', 'admin', 'orion')),
  label text not null check (label in ('agent', 'arbiter', 'user', 'orion')),
  scopes text[] not null,
  active boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  check ((type = 'user') = (account is not null))
);
create index api_keys_of_account on api_keys (account, created_at);
