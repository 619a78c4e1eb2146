-- Sessions of MCP clients of the 2025 revisions. They are stored here, so that any process may serve them and none is
-- lost when a process ends: many clients never initialize again.
create table mcp_sessions (
  id uuid primary key,
  account text not null references users (account),
  -- The credential it was opened with: `oauth:<client id>` or `key:<key id>`. To other clients the session does not
  -- exist.
  client text not null,
  protocol_version text not null,
  -- The newest stream of the session. An older one ends when it finds that it is not the newest any more.
  stream_id uuid,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
create index mcp_sessions_of_client on mcp_sessions (account, client, last_used_at);
create index mcp_sessions_by_use on mcp_sessions (last_used_at);

-- Transactions whose changes a session is notified of. The changes themselves are in account_events, once for all
-- sessions.
create table mcp_subscriptions (
  session_id uuid not null references mcp_sessions (id) on delete cascade,
  request_hash bytea not null check (octet_length(request_hash) = 32),
  primary key (session_id, request_hash)
);
