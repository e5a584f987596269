-- register_handler(consumer_id, name, event_types, …): makes a handler known, from the consumer's cursor on.
-- Messages that were parked because nobody handled their type are given to it.
-- p_event_types: 'a.b', 'a.*' or '*'. p_retry is delay()'s.
-- When its event types change, what is already claimed stays with the handlers it was claimed for.
-- Raises: PR013 for a name without a scope ('billing.send_invoice') or a malformed pattern, PR001 for a bad policy.
-- Touches: handler, consumer, delivery.
-- postrider: after cursor_of, refresh_consumer, matches, require_retry
create or replace function postrider.register_handler(
    p_consumer_id int, p_handler text, p_event_types text[],
    p_retry jsonb default '{}', p_max_attempts int default 5, p_crashes_max int default 3
) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_retry jsonb := coalesce(p_retry, '{}');
    h postrider.handler;
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
    elsif coalesce(p_max_attempts, 5) not between 1 and 1000 or coalesce(p_crashes_max, 3) not between 1 and 1000 then
        raise exception using errcode = 'PR001',
            message = format('handler %s: max_attempts and crashes_max must be between 1 and 1000', p_handler);
    end if;
    perform postrider.require_retry(v_retry);
    -- No claim may route by the old handlers while the new one takes its place in the log.
    perform pg_advisory_xact_lock(1886351202, p_consumer_id);
    select * into h from postrider.handler
    where consumer_id = p_consumer_id and name = p_handler
    order by revision desc limit 1;
    if h.retired_at is null and h.event_types = p_event_types then
        if (h.retry, h.max_attempts, h.crashes_max)
           is distinct from (v_retry, coalesce(p_max_attempts, 5)::smallint, coalesce(p_crashes_max, 3)::smallint) then
            update postrider.handler
            set retry = v_retry, max_attempts = coalesce(p_max_attempts, 5), crashes_max = coalesce(p_crashes_max, 3)
            where consumer_id = p_consumer_id and name = p_handler and revision = h.revision;
        end if;
        return;
    end if;

    update postrider.handler
    set retired_at = clock_timestamp(), ends = postrider.cursor_of(p_consumer_id)
    where consumer_id = p_consumer_id and name = p_handler and retired_at is null;
    insert into postrider.handler (
        consumer_id, name, revision, event_types, retry, max_attempts, crashes_max, starts)
    values (p_consumer_id, p_handler, coalesce(h.revision, 0) + 1, p_event_types, v_retry,
            coalesce(p_max_attempts, 5), coalesce(p_crashes_max, 3), postrider.cursor_of(p_consumer_id));
    perform postrider.refresh_consumer(p_consumer_id);
    update postrider.delivery d
    set handler = p_handler, retry = v_retry, crashes_max = coalesce(p_crashes_max, 3),
        max_attempts = coalesce(d.max_attempts, p_max_attempts, 5)
    where d.consumer_id = p_consumer_id and d.handler = '' and d.status = 'pending'
      and postrider.matches(d.event_type, p_event_types);
end
$$;
