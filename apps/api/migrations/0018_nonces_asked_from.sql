-- Anyone may ask for a nonce of any address. A signed request tries those first that were asked for from its own network, so that
-- another's do not crowd them out. A hash of account and network, never the address itself. Null for what was there before.
alter table sign_in_nonces add column asked_from text;
