-- The verdict on record when a decision was made. An owner's approval given before an UNDECIDED verdict does not
-- count for it, so the same owner may approve once more.
alter table approvals add column verdict_seen text check (verdict_seen in ('APPROVED', 'REJECTED', 'UNDECIDED'));
update approvals a set verdict_seen = v.decision from approvals v
  where v.transaction_id = a.transaction_id and v.kind = 'orion' and a.kind <> 'orion' and v.id < a.id;
drop index approvals_once;
create unique index approvals_once on approvals (transaction_id, approver, decision, coalesce(verdict_seen, ''))
  where kind <> 'orion';

-- Rows of these tables are written once. The triggers apply to every role, also to the owner of the tables until it
-- disables them, in addition to the privileges of the service's role (see src/platform/db/grants.ts).
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on approvals
  for each row execute function refuse_rewriting();
create trigger append_only before update or delete on account_events
  for each row execute function refuse_rewriting();
create trigger append_only before update or delete on reports
  for each row execute function refuse_rewriting();
create trigger append_only before update or delete on snapshots
  for each row execute function refuse_rewriting();
create trigger append_only before update or delete on request_index
  for each row execute function refuse_rewriting();

-- The verdict and the call of a transaction are set once. The service cannot update the proposal at all.
create function refuse_other_verdict() returns trigger language plpgsql as $$
begin
  if old.orion is not null and new.orion is distinct from old.orion then
    raise exception 'the verdict of a transaction is never changed' using errcode = 'insufficient_privilege';
  end if;
  if (old.to_address is not null and new.to_address is distinct from old.to_address)
    or (old.value is not null and new.value is distinct from old.value)
    or (old.data_hash is not null and new.data_hash is distinct from old.data_hash) then
    raise exception 'the bytes of a transaction are never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger verdict_once before update on transactions
  for each row execute function refuse_other_verdict();
