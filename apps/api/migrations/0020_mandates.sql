-- Standing permissions that owners sign for their agents, and how much of each is used.

-- Exactly as it was signed. It is never changed, only ended.
create table mandates (
  id uuid primary key,
  account text not null references users (account),
  -- The proposer of the transactions that it allows: key:<id> or oauth:<id>.
  agent text not null,
  digest bytea not null check (octet_length(digest) = 32),
  terms jsonb not null,
  signature bytea not null,
  nonce bytea not null check (octet_length(nonce) = 32),
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check (valid_until > valid_from),
  constraint mandates_nonce_once unique (account, nonce)
);
create index mandates_of_agent on mandates (account, agent, created_at);

create table mandate_limits (
  id bigint generated always as identity primary key,
  mandate_id uuid not null references mandates (id),
  account text not null,
  position smallint not null,
  -- count, usd, or an asset by its CAIP-19 id.
  measure text not null,
  span text not null check (span in ('transaction', 'period', 'total')),
  period_seconds integer check (period_seconds > 0),
  -- Base units, or a number of transactions.
  most numeric(78, 0) not null check (most >= 0 and most < 2::numeric ^ 256),
  check ((period_seconds is not null) = (span = 'period')),
  unique (mandate_id, position)
);

-- The amounts per limit and window. reserved: approved. spent: executed. beyond: executed although it had been released.
create table budget_counters (
  limit_id bigint not null references mandate_limits (id),
  window_start timestamptz not null,
  account text not null,
  most numeric(78, 0) not null,
  reserved numeric(78, 0) not null default 0 check (reserved >= 0),
  spent numeric(78, 0) not null default 0 check (spent >= 0),
  beyond numeric(78, 0) not null default 0 check (beyond >= 0),
  primary key (limit_id, window_start),
  -- Holds whatever a statement gets wrong.
  constraint budget_counters_not_overspent check (reserved + spent <= most + beyond)
);

-- The share of one transaction in one limit.
create table budget_uses (
  transaction_id uuid not null references transactions (id),
  limit_id bigint not null references mandate_limits (id),
  account text not null,
  window_start timestamptz not null,
  amount numeric(78, 0) not null check (amount >= 0),
  state text not null check (state in ('held', 'made', 'released')),
  primary key (transaction_id, limit_id),
  foreign key (limit_id, window_start) references budget_counters (limit_id, window_start)
);

-- The mandate under which a transaction was approved without its owner.
alter table transactions add column mandate_id uuid references mandates (id);

-- Mandates that agents ask their owner for. They grant nothing.
create table mandate_requests (
  id uuid primary key,
  account text not null references users (account),
  agent text not null,
  draft jsonb not null,
  created_at timestamptz not null default now(),
  -- Granted, declined or taken back.
  closed_at timestamptz
);
create index mandate_requests_open on mandate_requests (account, created_at) where closed_at is null;
