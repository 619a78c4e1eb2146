-- How an agent gets a key without a person copying one: it asks for a code, its owner approves the code in the browser, the
-- agent fetches the key once. Neither the code nor the key is here: the code as its SHA-256, the key not at all. It is derived
-- from the code and a secret of the service, so who reads this table can neither poll nor make the key.
create table connections (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  -- S256 of a verifier that only the initiator knows. With it the code alone, which stands in a web address, fetches nothing.
  code_challenge text check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  status text not null default 'pending' check (status in ('pending', 'ready', 'consumed', 'expired')),
  -- Who began it, for whoever is asked to approve.
  initiator_ip text not null,
  user_agent text not null check (char_length(user_agent) <= 256),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- From the approval on. Before it a connection belongs to nobody.
  account text references users (account),
  key_id uuid references api_keys (id),
  -- Which secret the key was derived with: another may be current by the time it is fetched.
  secret_id uuid references secrets (id),
  approver_ip text,
  approved_at timestamptz,
  consumed_at timestamptz,
  check (num_nulls(account, key_id, secret_id, approver_ip, approved_at) in (0, 5)),
  check (status = 'expired' or (status = 'pending') = (key_id is null)),
  check ((status = 'consumed') = (consumed_at is not null))
);
create index connections_due on connections (expires_at) where status in ('pending', 'ready');
create index connections_never_approved on connections (expires_at) where status = 'expired' and key_id is null;
