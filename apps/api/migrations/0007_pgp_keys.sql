-- The OpenPGP keys that accounts registered, current and replaced, and the state of each on the chain.
create table pgp_keys (
  id uuid primary key,
  account text not null references users (account),
  -- 20 bytes for a version 4 key, 32 for a version 6 key.
  fingerprint text not null check (fingerprint ~ '^([0-9a-f]{40}|[0-9a-f]{64})$'),
  -- Exactly the text that was signed.
  armoured text not null check (octet_length(armoured) <= 32768),
  -- The wallet's signature over that text, as evidence. The chain gets its hash.
  signature bytea not null,
  signature_hash bytea not null check (octet_length(signature_hash) = 32),
  registered_at timestamptz not null default now(),
  replaced_at timestamptz,
  -- unasked: no registry was configured. waiting: accepted as durable work. signed: a transaction is in progress.
  chain_state text not null
    check (chain_state in ('unasked', 'waiting', 'signed', 'recorded', 'recorded-by-account', 'replaced', 'refused')),
  -- The one transaction, stored before it is first sent, and only ever sent again unchanged.
  chain_id bigint,
  signer text check (signer ~ '^0x[0-9a-f]{40}$'),
  nonce integer check (nonce >= 0),
  signed_transaction bytea,
  signed_hash text check (signed_hash ~ '^0x[0-9a-f]{64}$'),
  -- Set once it is in a block.
  transaction_hash text check (transaction_hash ~ '^0x[0-9a-f]{64}$'),
  check (num_nulls(chain_id, signer, nonce, signed_transaction, signed_hash) in (0, 5)),
  check (chain_state <> 'signed' or signed_hash is not null),
  check ((chain_state = 'recorded') = (transaction_hash is not null))
);
create unique index pgp_keys_current on pgp_keys (account) where replaced_at is null;
create index pgp_keys_of_account on pgp_keys (account, registered_at);
create index pgp_keys_unasked on pgp_keys (registered_at) where chain_state = 'unasked';
create unique index pgp_keys_nonce on pgp_keys (chain_id, signer, nonce);

-- The next nonce of each of the service's own wallets, which have no account. Taking a nonce locks the row until its
-- transaction is stored, so that no nonce is used twice or left out.
create table signer_nonces (
  chain_id bigint not null,
  signer text not null check (signer ~ '^0x[0-9a-f]{40}$'),
  next_nonce integer not null check (next_nonce >= 0),
  primary key (chain_id, signer)
);
