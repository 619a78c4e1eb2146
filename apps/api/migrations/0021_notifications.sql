-- Channels through which owners are notified of their transactions, and the messages that wait for each.

create table notification_channels (
  id uuid primary key,
  account text not null references users (account),
  kind text not null check (kind ~ '^[a-z]+$'),
  -- Where messages go, as shown to the owner.
  target text not null,
  description text not null,
  -- Types of messages and agents to be notified of. Empty: all.
  types text[] not null,
  agents text[] not null,
  -- The key that signs messages. For some time after a rotation the previous one signs them too.
  secret_id uuid references secrets (id),
  previous_secret_id uuid references secrets (id),
  previous_until timestamptz,
  active boolean not null default true,
  -- Why the service switched it off. Null if the owner did, or if it is active.
  disabled_reason text,
  -- Events of earlier database transactions are not sent.
  created_xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now(),

  -- When the first waiting message is to be sent. Null if none waits.
  due_at timestamptz,
  -- Counts the flows that have sent its messages.
  run integer not null default 0,
  -- The step that sends its messages, so that two never do at once.
  lease_by uuid,
  lease_until timestamptz,

  -- Failed attempts since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  last_failed_at timestamptz,
  last_error text,
  check ((lease_by is null) = (lease_until is null))
);
create index notification_channels_of_account on notification_channels (account, created_at);
create index notification_channels_due on notification_channels (due_at) where due_at is not null;

create table notifications (
  id uuid primary key default gen_random_uuid(),
  -- The order in which a channel's messages are sent.
  position bigint generated always as identity,
  channel_id uuid not null references notification_channels (id) on delete cascade,
  account text not null,
  -- Null for a test message.
  event_id bigint references account_events (id),
  type text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Since it was queued the last time.
  attempts integer not null default 0,
  attempted_at timestamptz,
  answer_status smallint,
  error text,
  duration_ms integer,
  created_at timestamptz not null default now(),
  constraint notifications_once unique (channel_id, event_id)
);
create index notifications_of_channel on notifications (channel_id, position);
create index notifications_waiting on notifications (channel_id, position) where status = 'pending';
create index notifications_to_clear on notifications (created_at) where status <> 'pending';

-- The last event that was queued for every channel.
create table notifications_cursor (
  one boolean primary key default true check (one),
  xid xid8 not null,
  id bigint not null
);
insert into notifications_cursor (xid, id)
  select pg_snapshot_xmin(pg_current_snapshot()), 0;
