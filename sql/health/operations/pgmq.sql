-- Dead letters of a pipeline on pgmq without a copy in its queues.
select 'warning' as level, format('%s dead letters have no copy in the queue %s_dlq', p.missing, p.queue) as what,
       'the queue or its table was dropped, or a right was revoked; postrider.pgmq_pipelines has the error' as why,
       format('select postrider.define_pgmq_pipeline(%L, %L, %L);', p.queue, p.consumer, p.diagnostics) as todo
from postrider.pgmq_pipelines p where p.missing > 0
