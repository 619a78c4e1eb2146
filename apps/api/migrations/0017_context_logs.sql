-- The context that a proposer sent for debugging and auditing, for those who may read the transaction. Never kept for what the
-- sender sealed. In a table of its own: it may have 64 kB, and every change of a transaction reads that transaction's row.
create table context_logs (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  context jsonb not null
);

-- Of older transactions only those that are not sealed yet still have it.
insert into context_logs (transaction_id, account, context)
select id, account, unsealed_extras -> 'contextLogs' from transactions
where jsonb_typeof(unsealed_extras -> 'contextLogs') = 'object';
