-- group_fields(consumer, channel, handler, fingerprint, actor, reason): compares the payloads of the newest 50 dead letters of a group,
-- and records it in the audit. Payloads above 64 KiB are left out.
-- Returns: {"sample": how many were compared, "shared": [{"field", "value"}], which all of them have with one value, "differing":
--   [{"field", "present", "distinct", "examples"}]}; 100 fields each at most, values of at most 200 characters.
-- Raises: PR014 when the group has no dead letters, PR001 without actor or reason.
-- Touches: delivery, consumer (read), audit.
-- postrider: grant operator
-- postrider: after leaves, readable, write_audit
create or replace function postrider.group_fields(
    p_consumer text, p_channel text, p_handler text, p_fingerprint text, p_actor text, p_reason text
) returns json
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    as $$
declare
    v_consumer constant int := (select c.id from postrider.consumer c where c.name = p_consumer and c.channel = p_channel);
    v_deliveries bigint[];
    v_fields json;
begin
    with newest as (
        select d.id, d.payload from postrider.delivery d
        where d.status = 'failed' and d.deleted_at is null and d.fingerprint = p_fingerprint and d.consumer_id = v_consumer
          and d.handler = p_handler
        order by d.dead_at desc, d.id limit 50
    ), sample as materialized (
        select n.id, postrider.readable(n.payload) as payload from newest n where octet_length(n.payload::text) <= 65536
    ), field as (
        select l.field, count(distinct s.id) as present, count(distinct l.value) as distinct_count, min(l.value) as value,
               (array_agg(distinct l.value))[:3] as examples
        from sample s cross join lateral postrider.leaves(s.payload) l group by l.field
    ), total as (
        select count(*) as n from sample
    )
    select array(select n.id from newest n), json_build_object(
        'sample', t.n,
        'shared', (select coalesce(json_agg(json_build_object('field', f.field, 'value', f.value) order by f.field), '[]')
                   from (select * from field f where f.present = t.n and f.distinct_count <= 1 order by f.field limit 100) f),
        'differing', (select coalesce(json_agg(json_build_object(
                                 'field', f.field, 'present', f.present, 'distinct', f.distinct_count, 'examples', f.examples)
                                 order by f.field), '[]')
                      from (select * from field f where f.present < t.n or f.distinct_count > 1 order by f.field limit 100) f))
    into v_deliveries, v_fields
    from total t;
    if v_deliveries = '{}' then
        raise exception using errcode = 'PR014',
            message = format('there is no dead letter of %s with the fingerprint %s', p_handler, p_fingerprint);
    end if;
    perform postrider.write_audit(p_actor, 'reveal', p_reason, jsonb_build_object('deliveries', to_jsonb(v_deliveries)));
    return v_fields;
end
$$;
