-- Log partitions that are not created ahead of time.
select case when t.from_at > clock_timestamp() then 'note' else 'warning' end as level,
       case when t.from_at > clock_timestamp()
            then format('log partitions exist only up to %s', date_trunc('second', t.from_at))
            else format('messages are written to the last, open-ended log partition, which begins at %s', t.from_at) end as what,
       'no running worker does the maintenance, so old messages cannot be dropped by partition' as why,
       'postrider psql -c ''select * from postrider.maintain()''  -- running workers do this automatically' as todo
from postrider.partitions() t
where t.to_at = 'infinity'
  and t.from_at < clock_timestamp() + (select value::interval from postrider.setting where name = 'partition_interval')
