-- Channels for people: chat, e-mail and push, with their preferences.

alter table notification_channels
  -- Null until the owner has confirmed that the address is theirs. Nothing else is sent to it before.
  add column confirmed_at timestamptz default now(),
  -- The code that confirms it, hashed.
  add column code_hash bytea,
  add column code_until timestamptz,
  add column code_attempts integer not null default 0,
  -- Minutes since midnight in the time zone. It may wrap around midnight.
  add column quiet_from smallint check (quiet_from between 0 and 1439),
  add column quiet_until smallint check (quiet_until between 0 and 1439),
  add column time_zone text not null default 'UTC',
  -- How often messages are sent as one. Null: each at once.
  add column digest text check (digest in ('hourly', 'daily')),
  add check ((quiet_from is null) = (quiet_until is null)),
  add check ((code_hash is null) = (code_until is null));

alter table notifications
  -- The first of the messages that are sent as one. Set before the first attempt, so that a retry sends the same ones.
  add column merged_into uuid;
