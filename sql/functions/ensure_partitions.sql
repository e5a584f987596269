-- ensure_partitions(): makes the log's partitions of the next `partitions_ahead` intervals.
-- The tail takes what no partition covers, so this may be late. Waits for locks for at most 100 ms.
-- Returns: the names of the partitions it made.
-- Raises: 55P03 when the log was busy; call again.
-- Touches: the partitions of message.
create or replace function postrider.ensure_partitions() returns setof text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC'
    set datestyle = 'ISO'
    set lock_timeout = '100ms'
    as $$
declare
    v_interval interval := (select value::interval from postrider.setting where name = 'partition_interval');
    v_ahead int := (select value::int from postrider.setting where name = 'partitions_ahead');
    v_now timestamptz := clock_timestamp();
    v_from timestamptz;  -- where the tail begins; null: at the beginning of time
    v_to timestamptz;
    v_newest timestamptz;  -- what the clock, now or before it was put right, has put into the tail
    v_name text;
    v_bound text;
begin
    perform pg_advisory_xact_lock(1886351204, 0);
    select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM [(]''([^'']+)''[)]')::timestamptz
    into v_from from pg_class c where c.oid = 'postrider.message_tail'::regclass;
    if v_from > v_now + v_ahead * v_interval then
        return;
    end if;

    alter table postrider.message detach partition postrider.message_tail;
    select max(published_at) into v_newest from postrider.message_tail;
    if v_from is null or v_from <= v_now or v_newest is not null then
        -- The tail is in use: it becomes the partition of everything up to a boundary in the future.
        v_to := date_bin(v_interval, greatest(v_now, v_newest), 'epoch') + 2 * v_interval;
        v_name := 'message_p' || to_char(coalesce(v_from, v_now) at time zone 'UTC', 'YYYYMMDD_HH24MISS');
        v_bound := coalesce(quote_literal(v_from::text), 'minvalue');
        execute format('alter table postrider.message_tail rename to %I', v_name);
        execute format('alter table postrider.message attach partition postrider.%I for values from (%s) to (%L)',
                       v_name, v_bound, v_to);
        create table postrider.message_tail (like postrider.message including all excluding identity);
        return next v_name;
        v_from := v_to;
    end if;
    while v_from <= v_now + v_ahead * v_interval loop
        v_to := v_from + v_interval;
        v_name := 'message_p' || to_char(v_from at time zone 'UTC', 'YYYYMMDD_HH24MISS');
        execute format('create table postrider.%I partition of postrider.message for values from (%L) to (%L)',
                       v_name, v_from, v_to);
        return next v_name;
        v_from := v_to;
    end loop;
    execute format('alter table postrider.message attach partition postrider.message_tail for values from (%L) to (maxvalue)',
                   v_from);
end
$$;
