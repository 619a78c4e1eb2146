-- A transaction whose approval expired while we could not see whether it was executed.
alter table transactions drop constraint transactions_phase_check;
alter table transactions add constraint transactions_phase_check check (phase in ('RECEIVED', 'PINNED', 'REGISTERED',
  'AWAITING', 'READY', 'EXECUTING', 'BROADCAST', 'CONFIRMING', 'LAPSED', 'REJECTED', 'EXECUTED', 'SETTLED', 'FAILED'));
create index transactions_lapsed on transactions (chain_id, updated_at) where phase = 'LAPSED';

-- Until when every block of the chain was read, by the database's clock. Null: not yet.
alter table chain_cursors add column caught_up_at timestamptz;

-- One transaction on a chain may contain user operations of several wallets, each of which executes a proposal.
drop index transactions_carried_out;
create unique index transactions_carried_out on transactions (chain_id, execution_hash, escrow)
  where execution_hash is not null;
