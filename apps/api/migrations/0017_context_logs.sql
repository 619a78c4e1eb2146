-- The context that a proposer sent for debugging and auditing, for those who may read the transaction. Never stored
-- for payloads that the sender encrypted. In a separate table: it may have 64 kB, and every change of a transaction
-- reads that transaction's row.
create table context_logs (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  context jsonb not null
);

-- Older transactions still have it only if they are not encrypted yet.
insert into context_logs (transaction_id, account, context)
select id, account, unsealed_extras -> 'contextLogs' from transactions
where jsonb_typeof(unsealed_extras -> 'contextLogs') = 'object';
