-- replays: every replay and its state; replay_status() adds a sentence. Of a proposed one started_at is when it was proposed. The
-- items are counted only when a query selects their numbers, and no longer when all have ended.
create or replace view postrider.replays as
select r.id as replay, r.phase, r.actor, r.reason, r.filter, r.generation, r.canary, r.canary_passed, r.rate, r.total, i.waiting,
       i.moved, i.delivered, i.failed, i.skipped, i.cancelled, r.started_at, r.paused_reason, r.ended_at,
       r.approved_by, r.approved_at, r.expires_at
from postrider.replay r
left join lateral (
    select count(*) filter (where i.outcome = 'waiting') as waiting, count(*) filter (where i.outcome = 'moved') as moved,
           coalesce(r.counts[1], count(*) filter (where i.outcome = 'delivered')) as delivered,
           coalesce(r.counts[2], count(*) filter (where i.outcome = 'failed')) as failed,
           coalesce(r.counts[3], count(*) filter (where i.outcome = 'skipped')) as skipped,
           coalesce(r.counts[4], count(*) filter (where i.outcome = 'cancelled')) as cancelled
    from postrider.replay_item i where i.replay_id = r.id and r.counts is null) i on true;
