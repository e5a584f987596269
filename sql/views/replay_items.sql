-- replay_items: the items of replays in the order in which they are moved, with the outcome of each:
-- waiting, moved (it runs again), delivered, failed (it died again), skipped (note says why) or cancelled.
-- error_class and last_error are those of the cycle that the replay began, also after a later replay; of an item that was not
-- moved, those of the cycle that died before.
-- postrider: after cycles
create or replace view postrider.replay_items as
select i.replay_id as replay, i.number, i.delivery_id, i.message_id as id, i.outcome, i.note, i.moved_at, i.ended_at,
       e.error_class, e.last_error
from postrider.replay_item i
left join lateral (
    select case when d.cycle = c.cycle then d.error_class else h.error_class end as error_class,
           case when d.cycle = c.cycle then d.last_error else h.last_error end as last_error
    from postrider.delivery d
    cross join lateral (select i.cycle + (i.outcome in ('moved', 'failed'))::int as cycle) c
    left join lateral (select x.error_class, x.last_error from postrider.cycles(d.failure_history) x where x.cycle = c.cycle limit 1) h
      on d.cycle <> c.cycle
    where d.id = i.delivery_id and i.outcome <> 'delivered') e on true;
