-- Rows past their retention, and partitions that cannot be dropped.
select 'warning' as level, format('%s%s rows of %s are past their retention; last run: %s', case when s.exact then '' else 'about ' end, s.due, s.entity,
              coalesce(date_trunc('second', s.last_run_at)::text, 'never')) as what,
       'no running worker applies retention' as why,
       'postrider retention run  -- running workers do this automatically' as todo
from postrider.retention_status() s
where s.due > 0 and coalesce(s.last_run_at, '-infinity') < clock_timestamp() - interval '1 hour'
union all
select 'warning', 'old partitions of the log cannot be dropped: ' || s.held_by,
       'the log grows until the consumer has handled its messages in them',
       'start the workers of that consumer, or remove a consumer that is no longer needed: postrider consumers remove NAME --owed --reason WHY'
from postrider.retention_status() s where s.held_by is not null
