-- Scaling: partitions, the cost of a connection, no other infrastructure.
\ir include/check.sql

-- check: the_log_is_partitioned_by_time_from_the_first_day
do $$
begin
    assert (select pg_get_partkeydef(partrelid) from pg_partitioned_table where partrelid = 'postrider.message'::regclass)
        = 'RANGE (published_at)';
    assert (select count(*) from postrider.partitions()) > 5;
end
$$;

-- check: partitions_change_nothing_for_producers_and_consumers
do $$
declare
    w uuid := promise.worker('parts');
begin
    perform postrider.publish('x', '{"n": 1}', p_channel => 'parts', p_occurred_at => '1999-06-01'), postrider.publish('x', '{"n": 2}', p_channel => 'parts', p_occurred_at => '2999-06-01');
    commit;
    assert promise.numbers(w) = '{1,2}', 'late and early events are ordinary ones';
end
$$;
