-- Prices in dollars that limits of mandates are counted with. One row per asset, from the feed that the operator chose.
create table prices (
  asset text primary key,
  -- Dollars for a whole unit, times 10^18.
  usd numeric(78, 0) not null check (usd > 0),
  -- The feed, as a CAIP-10 id.
  source text not null,
  -- When the feed last changed the price, by its chain's clock.
  as_of timestamptz not null,
  read_at timestamptz not null default clock_timestamp(),
  -- For how long after as_of the price may be used.
  fresh_seconds integer not null check (fresh_seconds > 0)
);
