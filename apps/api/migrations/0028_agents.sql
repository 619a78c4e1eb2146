-- Agents that their owner paused: they cannot propose, and nothing is approved for them without the owner.
create table agent_pauses (
  account text not null references users (account),
  agent text not null check (agent ~ '^(key|oauth):[0-9a-f-]{36}$'),
  paused_at timestamptz not null default now(),
  primary key (account, agent)
);

-- The figures of one agent, and the days of its spending.
create index transactions_of_agent on transactions (account, proposer, created_at);
