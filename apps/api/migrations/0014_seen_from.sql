-- So that an owner knows each way into the account again: by what it was opened, from where it was last used, and where it
-- leads. Null for what was there before. Addresses and user agents are personal: they are shown to their owner and to nobody
-- else, and go with their rows.
alter table sessions
  -- What the browser called itself when it signed in: its own word.
  add column user_agent text,
  -- Where it signed in from, or was last renewed from.
  add column address text;

alter table api_keys
  -- Where it came from at last_used_at.
  add column last_used_address text;

alter table oauth_grants
  -- Where the owner's yes was sent to; a scheme with its colon where that has no host.
  add column redirect_host text;
