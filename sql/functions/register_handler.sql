-- register_handler(consumer_id, name, event_types, …): makes a handler known, from the consumer's cursor on.
-- Messages that were parked because nobody handled their type are given to it.
-- p_event_types: 'a.b', 'a.*' or '*'. p_retry is delay()'s.
-- Raises: PR013 for a name without a scope ('billing.send_invoice') or a malformed pattern.
-- Touches: handler, consumer, delivery.
-- postrider: after cursor_of, refresh_consumer, matches
create or replace function postrider.register_handler(
    p_consumer_id int, p_handler text, p_event_types text[],
    p_retry jsonb default '{}', p_max_attempts int default 5, p_crashes_max int default 3
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if p_handler is null or p_handler !~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)+$' or octet_length(p_handler) > 127 then
        raise exception using errcode = 'PR013',
            message = format('handler name %L is not usable', p_handler),
            hint = 'Qualify it with a scope, like billing.send_invoice; a-z, 0-9, "_" and "-", at most 127 bytes.';
    elsif coalesce(cardinality(p_event_types), 0) = 0
          or exists (select from unnest(p_event_types) as t
                     where t is null or t !~ '^(\*|[^*]+|[^*]+\.\*)$' or octet_length(t) > 255) then
        raise exception using errcode = 'PR013',
            message = format('event types %L of handler %s are not usable', p_event_types, p_handler),
            hint = 'Use exact types (user.created), prefixes (user.*) or *.';
    end if;
    -- No claim may route by the old handlers while the new one takes its place in the log.
    perform pg_advisory_xact_lock(1886351202, p_consumer_id);
    if exists (select from postrider.handler
               where consumer_id = p_consumer_id and name = p_handler and retired_at is null
                 and event_types = p_event_types and retry = coalesce(p_retry, '{}')
                 and max_attempts = coalesce(p_max_attempts, 5)
                 and crashes_max = coalesce(p_crashes_max, 3)) then
        return;
    end if;
    insert into postrider.handler as h (
        consumer_id, name, event_types, retry, max_attempts, crashes_max, starts)
    values (p_consumer_id, p_handler, p_event_types, coalesce(p_retry, '{}'), coalesce(p_max_attempts, 5),
            coalesce(p_crashes_max, 3), postrider.cursor_of(p_consumer_id))
    on conflict (consumer_id, name) do update
    set event_types = excluded.event_types, retry = excluded.retry, max_attempts = excluded.max_attempts,
        crashes_max = excluded.crashes_max, retired_at = null, ends = null,
        starts = case when h.retired_at is null then h.starts else excluded.starts end;
    perform postrider.refresh_consumer(p_consumer_id);
    update postrider.delivery d
    set handler = p_handler, retry = coalesce(p_retry, '{}'), crashes_max = coalesce(p_crashes_max, 3)
    where d.consumer_id = p_consumer_id and d.handler = '' and d.status = 'pending'
      and postrider.matches(d.event_type, p_event_types);
end
$$;
