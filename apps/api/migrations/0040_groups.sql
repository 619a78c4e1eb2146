-- Proposals are verified in groups: one run of the engine for all rows of a moment. `run` names it; a row that another run has
-- taken is left out. A row that waits, for a verdict or for something that is not there yet, is taken up again at `sweep_at`,
-- and given up after `wait_until`.
alter table flows
  drop constraint flows_status_check,
  add column run text,
  add column wait_until timestamptz,
  add constraint flows_status_check check (status in ('accepted', 'started', 'waiting', 'finished', 'parked'));
drop index flows_to_start;
create index flows_to_start on flows (sweep_at) where status in ('accepted', 'waiting');

-- Registrations on the home chain: the proposals of a moment, and the root of the tree that they are the leaves of. The
-- transaction of each is in own_transactions, under its id.
create table registrations (
  id uuid primary key,
  chain_id bigint not null check (chain_id > 0),
  -- The verification service that the proposals are for, by its address.
  service text not null check (service ~ '^0x[0-9a-f]{40}$'),
  -- root: the contract records the root. entries: it is an older one, which records each entry.
  form text not null check (form in ('root', 'entries')),
  root bytea not null unique check (octet_length(root) = 32),
  -- Request hash and content digest of each, in the order of the leaves.
  entries bytea not null check (octet_length(entries) > 0 and octet_length(entries) % 64 = 0),
  -- open: not on the chain yet. recorded: in a block. final: in a block that cannot be replaced.
  state text not null default 'open' check (state in ('open', 'recorded', 'final')),
  sweep_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index registrations_to_follow on registrations (sweep_at) where state <> 'final';

-- Which registration a proposal is in. Written once.
create table registered (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  registration_id uuid not null references registrations (id) deferrable initially deferred
);
create trigger append_only before update or delete on registered
  for each row execute function refuse_rewriting();
