-- Lets the retention job find rows by age.

-- A session is over when it ended or when its time is up, whichever is first.
create index sessions_by_end on sessions (least(coalesce(ended_at, ends_at), ends_at));
create index mandate_requests_by_end on mandate_requests (closed_at) where closed_at is not null;
