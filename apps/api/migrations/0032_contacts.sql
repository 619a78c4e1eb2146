-- The owner's address book. Names for display: no verdict and no decision reads them.
create table contacts (
  account text not null references users (account),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  -- The first and the last four digits, which people compare.
  ends text not null generated always as (substr(address, 3, 4) || right(address, 4)) stored,
  name text not null check (char_length(name) between 1 and 60),
  -- The name without differences of case and form.
  name_key text not null,
  note text check (char_length(note) between 1 and 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account, address),
  unique (account, name_key)
);
create index contacts_by_ends on contacts (account, ends);

-- Who was paid, given access or called by each executed transaction. Written once, in the commit that marks it EXECUTED.
create table executed_parties (
  account text not null references users (account),
  transaction_id uuid not null references transactions (id),
  -- unknown: part of what the transaction did is encrypted or could not be read.
  role text not null check (role in ('paid', 'access', 'called', 'unknown')),
  address text check (address ~ '^0x[0-9a-f]{40}$'),
  ends text generated always as (substr(address, 3, 4) || right(address, 4)) stored,
  -- A signature that was handed over. It may have been used, or not.
  released boolean not null,
  -- Whether the owner approved it in person.
  by_owner boolean not null,
  executed_at timestamptz not null default clock_timestamp(),
  check ((role = 'unknown') = (address is null)),
  unique nulls not distinct (transaction_id, role, address)
);
create index executed_parties_by_address on executed_parties (account, address, role, executed_at)
  include (transaction_id, released, by_owner);
create index executed_parties_by_ends on executed_parties (account, ends, address);

-- For transactions that were executed before this table existed, by the rules of src/transactions/parties/read-parties.ts.
with executed as (
  select t.id, t.account, t.escrow, t.form, t.shape, t.to_address, t.data_hash, encode(t.data, 'hex') as data,
    coalesce(t.value, 0) = 0 as is_free, t.onchain = 'released' as released, t."user" is not distinct from 'APPROVED' as by_owner,
    (select min(e.created_at) from account_events e
      where e.transaction_id = t.id and e.phase in ('EXECUTED', 'SETTLED')) as executed_at,
    case when t.form <> 'sealed' and jsonb_typeof(r.report #> '{context,net_effect}') = 'object'
      and r.report @? '$.context.effects[*]' then r.report -> 'context' end as context
  from transactions t left join reports r on r.transaction_id = t.id
  where t.phase in ('EXECUTED', 'SETTLED')
), named (id, role, address) as (
  select id, 'paid', lower(p #>> '{}')
  from executed, jsonb_path_query(context, '$.net_effect.others[*].party') p
  union
  select id, 'access', lower(p #>> '{}')
  from executed, jsonb_path_query(context, '$.net_effect.authority[*] ? (@.most == null || @.most != "0").spender') p
  union
  select id, 'access', lower(p #>> '{}')
  from executed, jsonb_path_query(context, '$.net_effect.admin[*].party') p
  union
  select id, 'paid', to_address
  from executed
  where context is null and (data = '' or data is null
    and data_hash = '\xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  union
  select id, 'paid', '0x' || substr(data, 33, 40)
  from executed where context is null and is_free and data ~ '^a9059cbb0{24}[0-9a-f]{104}$'
  union
  select id, 'paid', '0x' || substr(data, 97, 40)
  from executed where context is null and is_free and data ~ '^23b872dd0{24}[0-9a-f]{40}0{24}[0-9a-f]{104}$'
  union
  select id, 'access', '0x' || substr(data, 33, 40)
  from executed
  where context is null and is_free and data ~ '^095ea7b30{24}[0-9a-f]{104}$' and right(data, 64) <> repeat('0', 64)
), parties as (
  select n.id, n.role, n.address from named n join executed e using (id)
  where n.address ~ '^0x[0-9a-f]{40}$' and n.address <> e.escrow
), everything as (
  select id, role, address from parties
  union all
  select id, 'called', to_address from executed e
  where to_address is not null and to_address <> escrow and not exists (select from parties p where p.id = e.id)
  union all
  select id, 'unknown', null from executed e
  where case
    when context is not null then context -> 'limit' is distinct from 'null'::jsonb
      or context @? '$.effects[*] ? (@.act == "opaque" || @.knowledge == "none")'
      or context @? '$.net_effect.admin[*] ? (@.kind == "delegatecall")'
    else not exists (select from named n where n.id = e.id) end
)
insert into executed_parties (account, transaction_id, role, address, released, by_owner, executed_at)
select e.account, e.id, p.role, p.address, e.released, e.by_owner, coalesce(e.executed_at, now())
from everything p join executed e using (id)
on conflict do nothing;
