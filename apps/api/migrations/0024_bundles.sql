-- The inputs of a verdict, so that its owner can have it repeated. Never stored for payloads that the sender encrypted.
create table bundles (
  transaction_id uuid primary key references transactions (id),
  account text not null,
  -- Of the content, as the signed report names it.
  hash bytea not null check (octet_length(hash) = 32),
  -- The validator's request as JSON, gzipped.
  content bytea not null
);
create trigger append_only before update or delete on bundles
  for each row execute function refuse_rewriting();
