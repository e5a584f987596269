-- job_sets: sets of jobs. `open` is how many members have not ended, `failed` how many of the ended ones died, were cancelled or were lost
-- with their consumer. `problem` is the error with which the message was refused; maintain() tries again.
create or replace view postrider.job_sets as
select s.id as set_id, s.name, s.dead, s.created_at, s.created_by,
       (select count(*) from postrider.set_member m where m.set_id = s.id) as open, s.ended, s.failed, s.completed_at, s.message_id,
       s.message ->> 'event_type' as event_type, s.message ->> 'target' as target, s.problem, s.message
from postrider.job_set s;
