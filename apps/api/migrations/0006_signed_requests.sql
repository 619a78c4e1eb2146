-- Nonces of accepted signed requests. A second request with the same one is a replay. Stored for longer than the
-- request's timestamp is valid, then swept. An account is not required: an address may sign before it is known.
create table signed_request_nonces (
  account text not null check (account ~ '^0x[0-9a-f]{40}$'),
  nonce text not null,
  expires_at timestamptz not null,
  primary key (account, nonce)
);
create index signed_request_nonces_by_expiry on signed_request_nonces (expires_at);
