-- Whether what was released is used on the chain: a permit, a Safe's transaction, a batch.

alter table transactions
  drop constraint transactions_onchain_check,
  add constraint transactions_onchain_check check (onchain in
    ('success', 'revert', 'mismatch', 'released', 'useSeen', 'used', 'unused')),
  -- The kind of proof of its use, chosen with the release. Null: no use can be proven, and none is looked for.
  add column use_kind text,
  -- used, failed: on the chain by exactly this hash. spent: its nonce is used, and by what is not proven. unusable: its nonce was
  -- cancelled or used by something else. expired: its time is over and its nonce unused.
  add column use_outcome text check (use_outcome in ('used', 'failed', 'spent', 'unusable', 'expired')),
  -- The transaction that used it. Null if only the state after a block shows it.
  add column use_hash bytea check (octet_length(use_hash) = 32),
  -- The block that shows it.
  add column use_block bigint,
  add column use_block_hash bytea check (octet_length(use_block_hash) = 32),
  add constraint transactions_use check (num_nulls(use_outcome, use_block, use_block_hash) in (0, 3)),
  add constraint transactions_use_hash check (use_hash is null or use_outcome is not null),
  add constraint transactions_use_kind check (use_outcome is null or use_kind is not null);

-- Released signatures, confirmations, batches and authorizations whose use is still looked for. Deleted once a final block shows it.
create table release_watches (
  transaction_id uuid primary key references transactions (id),
  account text not null references users (account),
  chain_id bigint not null,
  -- The contracts whose events show a use.
  contracts text[] not null,
  -- By which the transactions are found that may use it: a contract and topics of its events, or an account that sends.
  marks text[] not null,
  -- Whether the state after a block shows if its nonce is used.
  has_state boolean not null,
  -- Whether its nonce was unused in a block up to which, and since which, every block was read.
  was_open boolean not null default false,
  released_at timestamptz not null default clock_timestamp(),
  -- When the state is read next.
  check_at timestamptz not null
);
create index release_watches_by_mark on release_watches using gin (marks);
create index release_watches_to_check on release_watches (chain_id, check_at);

-- The last block in which uses were looked for. Behind block_number while a process of an earlier version reads, too.
alter table chain_cursors add column uses_read bigint;
