-- progress: the progress (fraction, from 0 to 1, and text) and the results that handlers recorded of their jobs.
create or replace view postrider.progress as
select p.message_id as id, c.name as consumer, c.channel, p.handler, p.fraction, p.recorded_at, p.text, p.result
from postrider.job_progress p
join postrider.consumer c on c.id = p.consumer_id;
