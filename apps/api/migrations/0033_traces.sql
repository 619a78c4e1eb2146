-- The trace of the request that accepted the work, as a W3C traceparent: its steps continue it, also after a crash.
alter table flows add column traceparent text
  check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$');
