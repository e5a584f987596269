-- drop_partitions(before, limit): drops the log's partitions that end before an instant and that no consumer
-- still has to read, oldest first. A consumer that stopped reading keeps its partitions.
-- A drop needs an exclusive lock on the log. It waits at most 50 ms for the lock, and during that time new publishers and
-- claims wait behind it. All checks are made before.
-- Messages in them that wait become deliveries, for a second: a partition with more of them is held, and goes with a later call.
-- Returns: the partitions that are old enough, whether each was dropped, and the consumer that still holds it.
-- Raises: 55P03 when the log was busy; call again. PR006 in a cluster that needs a rebase, PR005 outside READ COMMITTED.
-- Touches: the partitions of message, audit, waiting, delivery; consumer and lease (read).
-- postrider: grant operator
-- postrider: after partitions, carry_waiting, partition_holder, require_cluster, require_read_committed, write_audit, lock_partitions
create or replace function postrider.drop_partitions(p_before timestamptz, p_limit int default null)
    returns table (partition text, dropped boolean, held_by text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set datestyle = 'ISO'
    set lock_timeout = '50ms'
    as $$
declare
    v_free text[] := '{}';
    v_until constant timestamptz := clock_timestamp() + interval '1 second';
begin
    -- After its lock is taken, a partition must be read with a new snapshot, which includes messages published just
    -- before.
    perform postrider.require_read_committed('drop_partitions');
    perform postrider.require_cluster();
    perform pg_advisory_xact_lock(postrider.lock_partitions(), 0);
    for partition in
        select p.name from postrider.partitions() p
        where p.to_at <= least(p_before, clock_timestamp())
        order by p.to_at
    loop
        exit when cardinality(v_free) >= p_limit;
        -- Waits for open transactions that write into it and blocks new ones, so the check below stays true.
        -- Publishers into other partitions and claims go on.
        execute format('lock table postrider.%I in share mode', partition);
        -- Carrying messages over holds claim locks, so only a partition that nothing else holds is worth it.
        held_by := postrider.partition_holder(partition, p_but_waiting => true);
        if held_by is null then
            perform postrider.carry_waiting(partition, v_until);
            held_by := postrider.partition_holder(partition);
        end if;
        dropped := held_by is null;
        if dropped then
            v_free := v_free || partition;
        end if;
        return next;
    end loop;
    foreach partition in array v_free loop
        execute format('drop table postrider.%I', partition);
    end loop;
    if v_free <> '{}' then
        perform postrider.write_audit(session_user, 'drop_partitions', 'no consumer needs their messages',
                                      jsonb_build_object('before', p_before), jsonb_build_object('partitions', v_free));
    end if;
end
$$;
