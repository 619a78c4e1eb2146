-- Programs that ask owners for access. A client registers with POST /oauth/register; one identified by the URL of its
-- metadata document is stored here as last read. No table stores a secret, code or token in clear.
create table oauth_clients (
  -- A UUID that we issued, or the https URL of a metadata document.
  id text primary key check (char_length(id) between 1 and 2000),
  registration text not null check (registration in ('dynamic', 'metadata-document')),
  -- SHA-256 of 256 random bits. Null for public clients.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  auth_method text not null check (auth_method in ('none', 'client_secret_post', 'client_secret_basic')),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  name text not null check (char_length(name) between 1 and 100),
  client_uri text,
  created_at timestamptz not null default now(),
  -- When an owner last decided about it, or it last got tokens.
  last_used_at timestamptz,
  -- For a document: until when it need not be read again.
  fresh_until timestamptz,
  check ((auth_method = 'none') = (secret_hash is null)),
  check ((registration = 'metadata-document') = (fresh_until is not null))
);
create index oauth_clients_by_use on oauth_clients (coalesce(last_used_at, created_at));

-- A request for access that an owner decides. Stores the client's parameters, so that what is shown, decided and
-- exchanged later is the same.
create table oauth_sessions (
  id uuid primary key,
  client_id text not null,
  client_name text not null,
  client_uri text,
  registration text not null,
  redirect_uri text not null,
  state text,
  code_challenge text not null,
  scopes text[] not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  -- SHA-256 of the browser's cookie.
  browser_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index oauth_sessions_by_expiry on oauth_sessions (expires_at);

-- An owner's approval. Every token belongs to one and ends with it.
create table oauth_grants (
  id uuid primary key,
  account text not null references users (account),
  client_id text not null,
  client_name text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- The end, however often it is renewed.
  ends_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text check (revoke_reason in ('owner', 'client', 'code-replayed', 'token-reused', 'logout-all'))
);
create index oauth_grants_of_account on oauth_grants (account, created_at);
create index oauth_grants_of_client on oauth_grants (client_id);

create table oauth_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  grant_id uuid not null references oauth_grants (id) on delete cascade,
  session_id uuid not null references oauth_sessions (id) on delete cascade,
  client_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  failures integer not null default 0
);
create index oauth_codes_by_session on oauth_codes (session_id);
create index oauth_codes_by_grant on oauth_codes (grant_id);

create table oauth_refresh_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  grant_id uuid not null references oauth_grants (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_by_expiry on oauth_refresh_tokens (expires_at);
