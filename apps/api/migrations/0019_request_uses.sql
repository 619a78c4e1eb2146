-- A request is used once: an agent that proposes the same payment again is not approved without the owner.

-- Whether the service approved a transaction of type 2 without the owner, and otherwise why the owner is asked.
alter table transactions add column granted boolean not null default false;
update transactions set granted = true
  where execution_type = 2 and orion = 'APPROVED' and "user" is null and not require_user
    and phase in ('READY', 'EXECUTING', 'BROADCAST', 'CONFIRMING', 'LAPSED', 'EXECUTED', 'SETTLED', 'FAILED');
alter table transactions add column needs_owner jsonb;
alter table account_events add column needs_owner text;

-- How long a payment counts as repeated after it was approved or made. 0: repetitions are not looked for.
alter table settings add column repeat_window_seconds integer not null default 86400
  check (repeat_window_seconds between 0 and 2592000);

-- One row for each account that has used a request. Code that reads what an account has used, in order to use more,
-- locks this row first, after the transaction's: one order, so that there are no deadlocks.
create table ledgers (
  account text primary key references users (account)
);

-- The request of each approved transaction.
create table request_uses (
  transaction_id uuid primary key references transactions (id),
  account text not null references ledgers (account),
  -- The proposer of the transaction.
  agent text not null,
  -- Counts the uses of an agent. Two that were counted at the same time, without the lock, have the same number, and
  -- the second is refused.
  number integer not null check (number > 0),
  -- Hashes of the request with the call and with the effects. The second is null where the effects are unknown.
  by_call bytea not null check (octet_length(by_call) = 32),
  by_effects bytea check (octet_length(by_effects) = 32),
  -- held: approved. made: executed. released: neither, so that it counts no more.
  state text not null check (state in ('held', 'made', 'released')),
  -- When it was approved or, once it is executed, when that was seen.
  at timestamptz not null default clock_timestamp(),
  constraint request_uses_counted_once unique (account, agent, number)
);
create index request_uses_by_call on request_uses (account, agent, by_call);
create index request_uses_by_effects on request_uses (account, agent, by_effects) where by_effects is not null;
