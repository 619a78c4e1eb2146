-- Work that must complete whatever is killed on the way. A row is written in the same transaction as the row it works
-- on; the engine drives it from there. This row, not the engine's memory, says whether it is done.
create table flows (
  flow text not null,
  key text not null,
  account text not null,
  status text not null default 'accepted'
    check (status in ('accepted', 'started', 'finished', 'parked')),
  attempt integer not null default 1 check (attempt > 0),
  -- How long an attempt may take before it is retried, and when that is.
  allowance interval not null check (allowance > interval '0'),
  due_at timestamptz not null,
  -- Wake-ups: requested, and passed to the engine.
  wakes_asked integer not null default 0,
  wakes_sent integer not null default 0,
  -- When the sweeper may look at the row again, so that several of them share the work.
  sweep_at timestamptz not null,
  reason text,
  accepted_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (flow, key),
  check (wakes_sent <= wakes_asked)
);

create index flows_to_start on flows (sweep_at) where status = 'accepted';
create index flows_overdue on flows (due_at) where status = 'started';
create index flows_to_wake on flows (sweep_at) where status = 'started' and wakes_sent < wakes_asked;
create index flows_of_account on flows (account, accepted_at);
