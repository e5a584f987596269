-- schedules: the schedules, their next slots and counters. `message` has the payload.
create or replace view postrider.schedules as
select s.name as schedule, s.cron, s.time_zone, s.message ->> 'event_type' as event_type, s.message ->> 'target' as target,
       coalesce(s.message ->> 'channel', 'outbox_default') as channel, (s.message ->> 'workspace_id')::uuid as workspace_id,
       s.overlap, s.catch_up, s.jitter, s.paused, s.paused_reason, case when not s.paused then s.next_slot end as next_slot,
       s.queued_slot, s.last_slot, s.last_fired_at, s.last_message_id, s.fired, s.late, s.skipped, s.owner, s.created_at, s.changed_at,
       s.message
from postrider.schedule s;
