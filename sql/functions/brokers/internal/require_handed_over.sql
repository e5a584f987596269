-- require_handed_over(consumer_id, failures): refuses messages that take_over() cannot store. One refused message fails the whole call, so
-- that no program acknowledges a message to its broker that is not stored.
-- Brokers take larger messages than publish(): a payload may have 16 MB and headers 1 MB. claim_due() makes dead letters of those that are
-- too large to be run, with their content.
-- Raises: PR001 for a malformed argument, key or outcome, PR002 for a value that is too large, PR011 for a handler that the consumer
--   does not have.
-- Touches: handler (read).
-- postrider: after require_outcomes, unknown_key, message_problem, written_digits
create or replace function postrider.require_handed_over(p_consumer_id int, p_failures json) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_keys constant text[] := '{id,event_type,payload,source,cycle,published_at,occurred_at,idempotency_key,ordering_key,partition_key,
                                trace_context,headers,metadata,workspace_id,event_version,target,content_class,generation,priority,
                                max_attempts}';
    v_problem text;
begin
    if json_typeof(p_failures) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'hand_over: the failures must be a JSON array';
    end if;
    perform postrider.require_outcomes(
        (select coalesce(jsonb_agg(case when json_typeof(e.item) = 'object'
                                        then (select jsonb_object_agg(o.key, case o.key when 'message' then 'null' else o.value::jsonb end)
                                              from json_each(e.item) o)
                                        else e.item::jsonb end), '[]') from json_array_elements(p_failures) as e(item)),
        '{message,handler}');
    select left(p.problem, 5) || ' hand_over: ' || substr(p.problem, 7) into v_problem
    from json_to_recordset(p_failures) as f(message json, handler text, outcome text)
    cross join lateral (
        select case when json_typeof(f.message) is distinct from 'object' then 'PR001 the message must be a JSON object'
                    when f.outcome = 'delivered' then 'PR001 a message that was delivered is not handed over'
                    when not exists (select from postrider.handler h where h.consumer_id = p_consumer_id and h.name = f.handler)
                        then format('PR011 the consumer has no handler %L', f.handler)
                    else (select coalesce(
                              'PR001 ' || postrider.unknown_key((select jsonb_object_agg(k, null) from json_object_keys(f.message) k), v_keys,
                                                                'a message'),
                              case when coalesce(m.id, '') = '' then 'PR001 the message has no id'
                                   when octet_length(m.id) > 255 then 'PR002 id must have at most 255 bytes'
                                   when m.cycle not between 1 and 1000000 then 'PR001 cycle must be between 1 and 1000000'
                                   when octet_length(m.payload::text) > 16777216 then 'PR002 payload must have at most 16777216 bytes'
                                   when octet_length(m.headers::text) > 1048576 then 'PR002 headers must have at most 1048576 bytes'
                                   when case when postrider.written_digits(m.metadata) > 65536 then true
                                             else octet_length(m.metadata::text) > 65536 end
                                       then 'PR002 metadata must have at most 65536 bytes'
                                   when m.occurred_at in ('-infinity', 'infinity') or m.published_at in ('-infinity', 'infinity')
                                       then 'PR001 occurred_at and published_at must be finite' end,
                              postrider.message_problem(
                                  m.event_type, 'broker', m.source, m.target, null, null, m.metadata,
                                  array[m.idempotency_key, m.ordering_key, m.partition_key, m.trace_context, m.content_class],
                                  m.priority, m.max_attempts))
                          from json_to_record(f.message) as m(
                              id text, cycle int, event_type text, source text, target text, idempotency_key text, ordering_key text,
                              partition_key text, trace_context text, content_class text, priority int, max_attempts int,
                              payload json, headers json, metadata jsonb, occurred_at timestamptz, published_at timestamptz)) end as problem) p
    where p.problem is not null
    limit 1;
    if v_problem is not null then
        raise exception using errcode = left(v_problem, 5), message = substr(v_problem, 7);
    end if;
end
$$;
