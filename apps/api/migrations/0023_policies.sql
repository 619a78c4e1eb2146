-- Approved transactions of a mandate that are not sent yet, which are decided again when it ends.
create index transactions_granted_under on transactions (mandate_id) where phase = 'READY' and granted;

-- Versions of the owners' policies, exactly as they were signed. The newest counts.
create table policies (
  account text not null references users (account),
  version integer not null check (version > 0),
  digest bytea not null check (octet_length(digest) = 32),
  previous bytea not null check (octet_length(previous) = 32),
  time_zone text not null,
  text text not null,
  signature bytea not null,
  created_at timestamptz not null default now(),
  primary key (account, version)
);
create trigger append_only before update or delete on policies
  for each row execute function refuse_rewriting();

-- The decision of the policy when the verdict took effect: version, outcome and the rules that determined it.
alter table transactions add column policy_decision jsonb;
