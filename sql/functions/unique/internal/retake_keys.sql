-- retake_keys(deliveries, from, channel, raise): takes the keys of unique jobs that are about to get a new cycle again, for the consumers of that
-- channel (null: for their own). A key that was held until a start or for a period is not needed again. p_from is revive()'s.
-- Producers that have taken keys and do not end their transactions within 200 ms, for all keys together: with p_raise this is an error, else
-- they hold these keys, so that they do not stop a replay of other jobs.
-- Returns: the deliveries whose key another job holds. The others stay locked.
-- Raises: 55P03.
-- Touches: unique_job; delivery (lock), consumer (read).
-- postrider: after take_key
create or replace function postrider.retake_keys(p_deliveries bigint[], p_from text, p_channel text, p_raise boolean) returns bigint[]
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_refused bigint[] := '{}';
    d record;
    j postrider.unique_job;
    h postrider.unique_job;
    v_held boolean;
    v_until constant timestamptz := clock_timestamp() + interval '200 ms';
begin
    for d in
        select o.id, coalesce(t.id, o.consumer_id) as consumer_id, o.handler, o.unique_key, o.unique_scope, o.message_id, o.seq
        from postrider.delivery o
        join postrider.consumer c on c.id = o.consumer_id
        left join postrider.consumer t on t.name = c.name and t.channel = p_channel
        where o.id = any (p_deliveries) and o.unique_scope in ('until_finished', 'serial') and o.status = p_from
          and o.deleted_at is null and (p_channel is null or t.id is not null)
        order by o.id
        for no key update of o
    loop
        j := row(d.consumer_id, d.handler, d.unique_key, 'first', d.unique_scope, d.message_id, d.seq, null, null, false);
        v_held := false;
        -- A single wait would have no bound: see retry_lock().
        loop
            begin
                h := postrider.take_key(j, case when clock_timestamp() < v_until then '5ms' else '1ms' end);
                exit;
            exception when lock_not_available then
                continue when clock_timestamp() < v_until;
                v_held := not p_raise;
                exit when v_held;
                raise exception using errcode = 'lock_not_available', message = sqlerrm,
                    hint = 'Producers hold it for milliseconds. Try again, or find the session: postrider doctor.';
            end;
        end loop;
        if v_held or h.seq <> d.seq then
            v_refused := v_refused || d.id;
        end if;
    end loop;
    return v_refused;
end
$$;
