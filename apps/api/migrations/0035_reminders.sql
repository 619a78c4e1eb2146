-- When the owner was reminded that a transaction expires soon. Null: not yet.
alter table transactions add column reminded_at timestamptz;
