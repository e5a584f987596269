-- replay_items: the items of replays in the order in which they are moved, with what became of each:
-- waiting, moved (it runs again), delivered, failed (it died again), skipped (note says why) or cancelled.
create or replace view postrider.replay_items as
select i.replay_id as replay, i.number, i.delivery_id, i.message_id as id, i.outcome, i.note, i.moved_at, i.ended_at
from postrider.replay_item i;
