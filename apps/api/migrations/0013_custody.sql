-- Senders for an account in addition to its own wallet: a custodian or a wallet provider. And what was sent through
-- them.

-- Wallets that belong to an account in addition to its own address. An address belongs to one account.
create table wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  id uuid not null unique,
  account text not null references users (account),
  -- custodian: the address of a vault. provider: a wallet at the wallet provider.
  kept_by text not null check (kept_by in ('custodian', 'provider')),
  display_name text not null,
  -- The provider's id for it.
  provider_user_id text,
  created_at timestamptz not null default now(),
  check ((kept_by = 'provider') = (provider_user_id is not null))
);
create index wallets_of_account on wallets (account);

-- An account's access to its custodian. The private key and the API key are in the secret store; here are only their
-- ids.
create table custody_integrations (
  id uuid primary key,
  account text not null references users (account),
  type text not null check (type in ('execution', 'agent')),
  csr text not null,
  key_secret_id uuid not null references secrets (id),
  -- Set on completion.
  credential_secret_id uuid references secrets (id),
  vault_account_id text,
  environment text check (environment in ('sandbox', 'testnet', 'mainnet')),
  region text check (region in ('US', 'EU', 'EU2')),
  completed_at timestamptz,
  -- The vault's address, once the custodian has reported it.
  wallet text check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- The key of the custodian's co-signer, which asks us before it signs, if there is one.
  cosigner_public_key text,
  created_at timestamptz not null default now(),
  -- Another integration has replaced it. The status of its orders is still queried with it; nothing more is sent.
  replaced_at timestamptz,
  check (num_nulls(credential_secret_id, vault_account_id, environment, region, completed_at) in (0, 5))
);
create unique index custody_integrations_current on custody_integrations (account, type) where replaced_at is null;

-- The keys that together control an account's wallets at the wallet provider.
create table provider_quorums (
  account text not null references users (account),
  type text not null check (type in ('execution', 'agent')),
  display_name text not null,
  -- The provider's id for it.
  quorum_id text not null,
  threshold integer not null check (threshold > 0),
  -- SPKI in PEM, one after the other.
  p256_public_keys text[] not null check (cardinality(p256_public_keys) >= threshold),
  -- Whether the key is this service's own, so that it can send on its own.
  is_static boolean not null,
  note text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account, type)
);

-- The simulated effect at verification, to be compared with the effect when it is sent.
create table snapshots (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  taken jsonb not null,
  created_at timestamptz not null default now()
);

-- The durable intent to send: one for each transaction, written before anything is sent.
create table executions (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  chain_id bigint not null,
  escrow text not null,
  kept_by text not null check (kept_by in ('custodian', 'provider')),
  -- The sender: the integration, or the wallet's id.
  sender_id uuid not null,
  -- Their id for it, once known.
  their_id text,
  -- In no block yet. Until then nothing else is sent from there.
  is_open boolean not null default true,
  begun_at timestamptz not null default now()
);
create unique index executions_one_at_a_time on executions (chain_id, escrow) where is_open;

-- The signatures that the custodian's co-signer was allowed: one of its transactions for each of ours, under one nonce, so
-- that it is executed once however often it is signed.
create table cosignatures (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  their_id text not null,
  nonce bigint not null check (nonce >= 0),
  created_at timestamptz not null default now()
);
create unique index cosignatures_by_their_id on cosignatures (account, their_id);

-- The chain watch also looks for the transactions that we send.
drop index transactions_to_watch;
create index transactions_to_watch on transactions (chain_id, escrow)
  where not final and execution_hash is null and to_address is not null;

-- The reason for the owner: what the preflight found, or what the custodian reported.
alter table transactions add column reason_detail text check (char_length(reason_detail) <= 1000);
