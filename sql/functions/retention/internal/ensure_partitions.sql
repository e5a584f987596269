-- ensure_partitions(): makes the log's partitions of the next `partitions_ahead` intervals.
-- Messages that no partition covers go into the tail, so this may be late. A large tail takes several calls, each in a
-- transaction of its own (tail_bound). Waits for locks for at most 50 ms, and stops publishing only while it attaches tables
-- that are ready.
-- Returns: the names of the partitions it made.
-- Raises: 55P03 when the log was busy; call again.
-- Touches: the partitions of message.
-- postrider: after tail_bound, lock_partitions
create or replace function postrider.ensure_partitions() returns setof text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set datestyle = 'ISO'
    set lock_timeout = '50ms'
    as $$
declare
    v_interval interval := (select value::interval from postrider.setting where name = 'partition_interval');
    v_ahead int := (select value::int from postrider.setting where name = 'partitions_ahead');
    v_now timestamptz := clock_timestamp();
    v_from timestamptz;  -- where the tail begins; null: at the beginning of time
    v_to timestamptz;    -- where it ends when it becomes a partition; null: it does not
    v_next timestamptz;  -- where the new tail begins
    v_names text[] := '{}';
    v_starts timestamptz[] := '{}';
    v_name text;
begin
    perform pg_advisory_xact_lock(postrider.lock_partitions(), 0);
    select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM [(]''([^'']+)''[)]')::timestamptz
    into v_from from pg_class c where c.oid = 'postrider.message_tail'::regclass;
    if v_from > v_now + v_ahead * v_interval then
        return;
    end if;
    -- A tail with messages becomes the partition of all messages up to a boundary in the future.
    if v_from is null or v_from <= v_now or exists (select from postrider.message_tail) then
        v_to := postrider.tail_bound(v_from, v_interval, v_now);
        if v_to is null then
            return;
        end if;
    end if;

    -- Creates the new tables first: after the tail is detached producers cannot publish.
    v_next := coalesce(v_to, v_from);
    while v_next <= v_now + v_ahead * v_interval loop
        v_name := 'message_p' || to_char(v_next at time zone 'UTC', 'YYYYMMDD_HH24MISS');
        execute format('create table postrider.%I (like postrider.message including all excluding identity)', v_name);
        v_names := v_names || v_name;
        v_starts := v_starts || v_next;
        v_next := v_next + v_interval;
    end loop;
    if v_to is not null then
        create table postrider.message_tail_next (like postrider.message including all excluding identity);
    end if;

    alter table postrider.message detach partition postrider.message_tail;
    if v_to is not null then
        v_name := 'message_p' || to_char(coalesce(v_from, v_now) at time zone 'UTC', 'YYYYMMDD_HH24MISS');
        execute format('alter table postrider.message_tail rename to %I', v_name);
        execute format('alter table postrider.message attach partition postrider.%I for values from (%s) to (%L)',
                       v_name, coalesce(quote_literal(v_from::text), 'minvalue'), v_to);
        execute format('alter table postrider.%I drop constraint if exists message_tail_bound', v_name);
        alter table postrider.message_tail_next rename to message_tail;
        return next v_name;
    end if;
    for i in 1..cardinality(v_names) loop
        execute format('alter table postrider.message attach partition postrider.%I for values from (%L) to (%L)',
                       v_names[i], v_starts[i], v_starts[i] + v_interval);
        return next v_names[i];
    end loop;
    execute format('alter table postrider.message attach partition postrider.message_tail for values from (%L) to (maxvalue)',
                   v_next);
end
$$;
