-- Compressed reports, and encrypted payloads in a table of their own. Written only with COMPACT_STORAGE, because earlier versions
-- cannot read them. See docs/decisions/0104-reports-are-compressed.md.
alter table reports
  -- A report has one of two forms: JSON in this column, or the columns below.
  alter column report drop not null,
  -- JSON, compressed with zstd and a dictionary.
  add column compressed bytea,
  -- The number of the dictionary in apps/api/data. A dictionary is kept for ever.
  add column dictionary smallint,
  -- The members of a compressed report that SQL reads: coalesce(summary, report) has them in both forms.
  add column summary jsonb,
  -- Compressed already.
  alter column compressed set storage external,
  -- Earlier rows meet it. Validating it would keep the table locked while all of them are read.
  add constraint reports_form check (num_nonnulls(report, compressed) = 1
    and num_nonnulls(compressed, dictionary, summary) in (0, 3)) not valid;

-- The encrypted payload of a proposal. In the row of its transaction, each change of the transaction writes it again.
create table envelopes (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  content bytea not null check (octet_length(content) <= 262144)
);
alter table envelopes alter column content set storage external;
create trigger append_only before update or delete on envelopes
  for each row execute function refuse_rewriting();
