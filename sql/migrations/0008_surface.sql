-- What the operator's surface counts, however much there is.
set local role postrider_owner;

-- The ledger of dead letters knows their types, too, so that a preview of a replay is read from it. What was summed up
-- stands apart: a ledger that is emptied gives its pages back, and whoever counts reads few.
create table postrider.dead_letter_sum (
    consumer_id int not null,
    handler text collate "C" not null,
    fingerprint text collate "C",
    event_type text collate "C" not null,
    count bigint not null
);

-- Counted anew, while nobody makes or ends a dead letter.
lock table postrider.delivery in share mode;
delete from postrider.dead_letter_tally;
alter table postrider.dead_letter_tally add column event_type text collate "C" not null default '';
insert into postrider.dead_letter_sum
select consumer_id, handler, fingerprint, event_type, count(*)
from postrider.delivery
where status = 'failed' and deleted_at is null
group by 1, 2, 3, 4;

-- What was discarded, by when it died. A row enters it when it is discarded, not before.
create index delivery_discarded_idx on postrider.delivery (dead_at desc, id) where status = 'failed' and deleted_at is not null;

-- How the items of a replay ended, once all have: delivered, failed, skipped, cancelled.
alter table postrider.replay add column counts bigint[];
