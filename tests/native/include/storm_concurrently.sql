-- Changes that take weak locks and go on beside claims.
reindex table concurrently postrider.lease;
create index concurrently storm_late_idx on postrider.lease (deadline);
reindex index concurrently postrider.worker_pkey;
select format('reindex table concurrently %s', inhrelid::regclass) from pg_inherits where inhparent = 'postrider.message'::regclass
order by pg_relation_size(inhrelid) desc limit 1 \gexec
drop index concurrently postrider.storm_late_idx;
reindex index concurrently postrider.consumer_pkey;
analyze postrider.lease;
