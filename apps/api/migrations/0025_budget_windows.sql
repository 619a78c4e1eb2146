-- Limits in any interval of a length, and limits per calendar day, week or month of a time zone.
alter table mandate_limits
  add column time_zone text,
  drop constraint mandate_limits_span_check,
  drop constraint mandate_limits_check,
  add constraint mandate_limits_span_check
    check (span in ('transaction', 'period', 'rolling', 'day', 'week', 'month', 'total')),
  add constraint mandate_limits_seconds check ((period_seconds is not null) = (span in ('period', 'rolling'))),
  add constraint mandate_limits_calendar check ((time_zone is not null) = (span in ('day', 'week', 'month'))),
  -- Fails for a time zone that this server does not know, before anything is decided with it.
  add constraint mandate_limits_time_zone
    check (time_zone is null or date_trunc('day', timestamptz 'epoch', time_zone) is not null);

-- A rolling limit has a counter per use. Its uses count while they are held, and for the interval after they were made.
alter table budget_uses add column changed_at timestamptz not null default clock_timestamp();
create index budget_uses_held on budget_uses (limit_id) where state = 'held';
create index budget_uses_made on budget_uses (limit_id, changed_at) where state = 'made';

-- Holds whatever a statement gets wrong, as the constraint of the counters does for the other spans.
create function refuse_rolling_overspend() returns trigger language plpgsql as $$
declare
  bound record;
begin
  select most, period_seconds into bound from mandate_limits where id = new.limit_id and span = 'rolling';
  if not found then
    return null;
  end if;
  perform 1 from ledgers where account = new.account for update;
  if (select sum(amount) from budget_uses where limit_id = new.limit_id and (state = 'held' or state = 'made'
      and changed_at > clock_timestamp() - make_interval(secs => bound.period_seconds))) > bound.most then
    raise exception 'the rolling limit % is overspent', new.limit_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger not_overspent after insert on budget_uses
  for each row execute function refuse_rolling_overspend();
