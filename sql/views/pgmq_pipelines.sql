-- pgmq_pipelines: the queues of pgmq whose dead letters have copies there (define_pgmq_pipeline()). `copies` are in <queue>_dlq; `missing`
-- could not be written, with the newest `problem`: maintain() tries again.
create or replace view postrider.pgmq_pipelines as
select p.queue, c.name as consumer, p.diagnostics, p.defined_at, p.defined_by, k.copies, k.missing, k.problem
from postrider.pgmq_pipeline p
join postrider.consumer c on c.id = p.consumer_id
cross join lateral (
    select count(k.msg_id) as copies, count(*) - count(k.msg_id) as missing,
           (array_agg(k.problem order by k.delivery_id desc) filter (where k.msg_id is null))[1] as problem
    from postrider.pgmq_copy k where k.queue = p.queue) k;
