-- The service's own secrets: signing keys, peppers, the registrar's key. They belong to the service and not to an account, so
-- this is the one kind of table without an account in it. Nothing here is readable without a key that the database never sees.
create table secrets (
  id uuid primary key,
  purpose text not null check (purpose ~ '^[a-z][a-z0-9-]*$'),
  -- The record's own random key, encrypted under the key-encryption key named by kek_id.
  kek_id text not null,
  wrapped_key bytea not null check (octet_length(wrapped_key) > 0),
  -- AES-256-GCM under the record's own key; the tag is the last 16 bytes. Both ciphertexts are bound to id and purpose.
  nonce bytea not null check (octet_length(nonce) = 12),
  ciphertext bytea not null check (octet_length(ciphertext) >= 16),
  created_at timestamptz not null default now(),
  -- From then on it is not used for anything new. It can still be read, because older data may need it.
  retired_at timestamptz
);

create index secrets_current on secrets (purpose, created_at, id) where retired_at is null;
