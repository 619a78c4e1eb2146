-- Anyone may request a nonce for any address. A signed request first tries those requested from its own network, so
-- that others' do not crowd them out. A hash of account and network, never the address itself. Null for older rows.
alter table sign_in_nonces add column asked_from text;
