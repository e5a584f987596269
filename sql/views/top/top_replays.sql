-- top_replays: replays that are proposed, running or paused.
-- postrider: after replays
create or replace view postrider.top_replays as
select r.replay, r.phase, r.total, r.delivered, r.failed, r.skipped, r.waiting, r.moved, r.actor, r.reason
from postrider.replays r
where r.phase in ('proposed', 'canary', 'running', 'paused')
order by r.replay;
