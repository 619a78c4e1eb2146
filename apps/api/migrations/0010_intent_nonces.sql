-- A signed intent counts once: the nonce of each signed intent that a proposal was made with.
create table intent_nonces (
  account text not null,
  nonce bytea not null check (octet_length(nonce) = 32),
  -- Unix seconds, as signed. After that the signature is rejected anyway, and the row may be deleted.
  expires_at bigint not null,
  primary key (account, nonce)
);
create index intent_nonces_by_expiry on intent_nonces (expires_at);
