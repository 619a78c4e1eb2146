-- The service's own transactions, each stored before it is first sent, and only ever sent again unchanged. Until now
-- an OpenPGP key had its transaction in its own columns.
create table own_transactions (
  id uuid primary key,
  account text not null,
  -- Its purpose, and the key of the row that needs it.
  purpose text not null,
  subject text not null,
  chain_id bigint not null,
  signer text not null check (signer ~ '^0x[0-9a-f]{40}$'),
  nonce integer not null check (nonce >= 0),
  bytes bytea not null,
  hash text not null unique check (hash ~ '^0x[0-9a-f]{64}$'),
  -- signed: stored, perhaps sent. mined: seen in a block, successful. reverted: in a final block, without effect.
  -- displaced: another transaction finally used its nonce. The last two never change again.
  state text not null default 'signed' check (state in ('signed', 'mined', 'displaced', 'reverted')),
  created_at timestamptz not null default now(),
  unique (chain_id, signer, nonce)
);
-- A row has one transaction that counts. Another follows only when that one can no longer have an effect.
create unique index own_transactions_live on own_transactions (purpose, subject) where state in ('signed', 'mined');
create index own_transactions_of_account on own_transactions (account, created_at);

-- Transactions that ended without a record were reverted or displaced. Which of the two was not stored, except that a
-- replaced key was never sent again.
insert into own_transactions (id, account, purpose, subject, chain_id, signer, nonce, bytes, hash, state, created_at)
select id, account, 'register-key', id::text, chain_id, signer, nonce, signed_transaction, signed_hash,
  case chain_state
    when 'recorded' then 'mined'
    when 'replaced' then 'displaced'
    when 'recorded-by-account' then 'reverted'
    when 'refused' then 'reverted'
    else 'signed'
  end,
  registered_at
from pgp_keys where signed_hash is not null;

-- The checks and the index on these columns are dropped with them.
alter table pgp_keys
  drop column chain_id,
  drop column signer,
  drop column nonce,
  drop column signed_transaction,
  drop column signed_hash;
