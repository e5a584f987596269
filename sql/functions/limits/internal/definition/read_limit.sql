-- read_limit(limit): a limit from JSON, as set_limit() describes it; null where it has none.
-- Raises: PR001 for an invalid limit, PR002 for too many weights.
-- postrider: after require_keys, read_rate
create or replace function postrider.read_limit(p_limit jsonb) returns postrider.handler_limit
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_fields constant text[] := '{workspace_id,ordering_key,partition_key,source,event_type}';
    l postrider.handler_limit;
    n record;
    r record;
begin
    if jsonb_typeof(p_limit) is distinct from 'object' or p_limit = '{}' then
        raise exception using errcode = 'PR001', message = 'a limit must be a JSON object that is not empty',
            hint = 'For example: ''{"concurrency": 10}''; remove_limit() removes one.';
    end if;
    perform postrider.require_keys(p_limit, '{concurrency,per_worker,key,per_key,rate,key_rate,weights}', 'a limit');
    if jsonb_typeof(p_limit -> 'weights') = 'object' then
        select count(*) as keys, max(octet_length(k)) as longest into n from jsonb_object_keys(p_limit -> 'weights') k;
        if n.keys > 1000 or n.longest > 255 then
            raise exception using errcode = 'PR002', message = 'weights may name 1000 keys of 255 bytes',
                hint = 'Keys without a weight take one turn per round.';
        end if;
    end if;
    for n in select e.key, e.value from jsonb_each(p_limit) e where e.key in ('concurrency', 'per_worker', 'per_key')
             union all select 'weights of ' || w.key, w.value
             from jsonb_each(case when jsonb_typeof(p_limit -> 'weights') = 'object' then p_limit -> 'weights' end) w
    loop
        if jsonb_typeof(n.value) <> 'number' or n.value::numeric not between 1 and 1000000 or n.value::numeric % 1 <> 0 then
            raise exception using errcode = 'PR001', message = format('%s must be a whole number from 1 to 1000000, got %s', n.key, n.value);
        end if;
    end loop;
    l.key := p_limit ->> 'key';
    if l.key <> all (v_fields) or p_limit -> 'key' = 'null' or jsonb_typeof(p_limit -> 'weights') <> 'object' then
        raise exception using errcode = 'PR001',
            message = format('the key of a limit must be one of %s, and weights a JSON object; got %s', array_to_string(v_fields, ', '), p_limit);
    elsif l.key is null and p_limit ?| '{per_key,key_rate,weights}' then
        raise exception using errcode = 'PR001', message = 'per_key, key_rate and weights need a key',
            hint = 'For example: ''{"key": "workspace_id", "per_key": 2}''.';
    end if;
    l.concurrency := p_limit -> 'concurrency';
    l.per_worker := p_limit -> 'per_worker';
    l.per_key := p_limit -> 'per_key';
    l.weights := coalesce(p_limit -> 'weights', '{}');
    r := postrider.read_rate(p_limit -> 'rate', 'rate');
    l.starts := r.starts;
    l.period := r.period;
    l.burst := r.burst;
    r := postrider.read_rate(p_limit -> 'key_rate', 'key_rate');
    l.key_starts := r.starts;
    l.key_period := r.period;
    l.key_burst := r.burst;
    return l;
end
$$;
