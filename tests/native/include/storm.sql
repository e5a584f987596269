-- For run_ddl_storm.sh: workers that claim while tables are changed, and a count of the messages that they claimed.
\ir ../../sql/include/promises.sql
create table promise.seen (seq bigint);
create table promise.claims (native bigint, in_sql bigint);
create table promise.published (count bigint);

-- publish_for(time, pause): messages in small transactions, with a pause in seconds after each.
create procedure promise.publish_for(p_time interval, p_pause float8)
    language plpgsql
    as $$
declare
    v_end timestamptz := clock_timestamp() + p_time;
    v_count bigint := 0;
begin
    while clock_timestamp() < v_end loop
        perform promise.publish('storm', 20);
        v_count := v_count + 20;
        commit;
        perform pg_sleep(p_pause);
    end loop;
    insert into promise.published values (v_count);
end
$$;

-- claim_all(worker): claims through the library and settles, each in its own transaction, until everything is published and claimed.
create procedure promise.claim_all(p_worker uuid)
    language plpgsql
    as $$
declare
    v_published boolean;
    v_packed regprocedure := 'postrider.exchange_packed(uuid, int, bigint, uuid, bigint[], jsonb, interval, boolean)';
    v_calls bigint;
    v_native bigint := 0;
    v_in_sql bigint := 0;
    h record;
    l record;
begin
    l := row(null::bigint, null::uuid);
    loop
        v_published := exists (select from promise.published);
        commit;
        v_calls := coalesce(pg_stat_get_xact_function_calls(v_packed), 0);
        for h in select * from postrider.exchange_native(p_worker, 7, l.f1, l.f2) loop
        end loop;
        if coalesce(pg_stat_get_xact_function_calls(v_packed), 0) > v_calls then
            v_in_sql := v_in_sql + 1;
        else
            v_native := v_native + 1;
        end if;
        insert into promise.seen select unnest(e.members) from postrider.lease e where e.id = h.lease_id and e.token = h.lease_token;
        commit;
        exit when h.lease_id is null and h.parked = 0 and v_published;
        l := row(h.lease_id, h.lease_token);
    end loop;
    insert into promise.claims values (v_native, v_in_sql);
end
$$;

drop table postrider.message_tail;  -- makes room for partitions that come and go
select promise.worker('storm');
select promise.worker('storm');
