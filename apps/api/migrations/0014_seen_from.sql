-- Lets an owner recognise each access to the account: what opened it, from where it was last used, and where it
-- leads. Null for older rows. Addresses and user agents are personal data: they are shown only to their owner, and
-- deleted with their rows.
alter table sessions
  -- The user agent at sign-in, as the browser reported it.
  add column user_agent text,
  -- The address of the sign-in or the last refresh.
  add column address text;

alter table api_keys
  -- The address at last_used_at.
  add column last_used_address text;

alter table oauth_grants
  -- Where the owner's approval was sent. A scheme with its colon if there is no host.
  add column redirect_host text;
