-- The sweeper looks for rows of group flows that a run has had for a while, and asks the engine whether it still has that run.
create index flows_to_look_at on flows (flow, sweep_at) where status = 'started';
