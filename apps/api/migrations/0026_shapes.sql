-- Proposals of other shapes than a single transaction. A signature is "executed" once it was released.

alter table transactions
  -- Null for a transaction, and for a payload that its sender encrypted until the verdict names its shape.
  add column shape text check (shape in ('typedData')),
  -- The data to sign, in its canonical form. json, not jsonb: texts in it may contain any character.
  add column payload json,
  -- The exact hash that would be signed.
  add column signing_hash bytea check (octet_length(signing_hash) = 32),
  add constraint transactions_shape check ((shape is null) = (signing_hash is null)),
  add constraint transactions_payload check (payload is null or (shape is not null and form <> 'sealed')),
  add constraint transactions_content check (form = 'sealed' or
    (shape is null and num_nulls(to_address, value, data, data_hash) = 0) or
    (shape is not null and payload is not null and num_nonnulls(to_address, value, data, data_hash) = 0)),
  drop constraint transactions_check1,
  drop constraint transactions_onchain_check,
  add constraint transactions_onchain_check check (onchain in ('success', 'revert', 'mismatch', 'released'));

create or replace function refuse_other_verdict() returns trigger language plpgsql as $$
begin
  if old.orion is not null and new.orion is distinct from old.orion then
    raise exception 'the verdict of a transaction is never changed' using errcode = 'insufficient_privilege';
  end if;
  if (old.to_address is not null and new.to_address is distinct from old.to_address)
    or (old.value is not null and new.value is distinct from old.value)
    or (old.data_hash is not null and new.data_hash is distinct from old.data_hash)
    or (old.shape is not null and new.shape is distinct from old.shape)
    or (old.signing_hash is not null and new.signing_hash is distinct from old.signing_hash) then
    raise exception 'the bytes of a transaction are never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
