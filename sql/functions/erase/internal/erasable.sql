-- erasable(filter, limit): the messages that a filter of erase() describes, in the log or only as deliveries, and those that edits made of
-- them. Reads the whole log between since and until unless ids are given.
-- Touches: message, delivery (read).
-- postrider: after readable
create or replace function postrider.erasable(p_filter jsonb, p_limit int) returns setof uuid
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ids uuid[] := case when p_filter ? 'ids' then array(select i::uuid from jsonb_array_elements_text(p_filter -> 'ids') i) end;
    -- The JSON path of the filter's payload condition.
    v_path jsonpath := (p_filter -> 'payload' ->> 'path') || ' ? (@ == $value)';
    v_value jsonb := jsonb_build_object('value', p_filter -> 'payload' -> 'equals');
begin
    return query
    with recursive found as (
        select f.id from (
            select m.id, m.channel, m.event_type, m.published_at, m.workspace_id, m.idempotency_key, m.ordering_key, m.partition_key,
                   m.payload
            from postrider.message m
            where m.published_at >= coalesce((p_filter ->> 'since')::timestamptz, '-infinity')
              and m.published_at < coalesce((p_filter ->> 'until')::timestamptz, 'infinity')
              and (v_ids is null or m.id = any (v_ids))
            union all
            select d.message_id, d.channel, d.event_type, d.published_at, d.workspace_id, d.idempotency_key, d.ordering_key,
                   d.partition_key, d.payload
            from postrider.delivery d
            where (v_ids is null or d.message_id = any (v_ids))) f
        where f.published_at >= coalesce((p_filter ->> 'since')::timestamptz, '-infinity')
          and f.published_at < coalesce((p_filter ->> 'until')::timestamptz, 'infinity')
          and (not p_filter ? 'idempotency_key' or f.idempotency_key = p_filter ->> 'idempotency_key')
          and (not p_filter ? 'ordering_key' or f.ordering_key = p_filter ->> 'ordering_key')
          and (not p_filter ? 'partition_key' or f.partition_key = p_filter ->> 'partition_key')
          and (not p_filter ? 'workspace_id' or f.workspace_id = (p_filter ->> 'workspace_id')::uuid)
          and (not p_filter ? 'event_type' or f.event_type = p_filter ->> 'event_type')
          and (not p_filter ? 'channel' or f.channel = p_filter ->> 'channel')
          and (not p_filter ? 'payload' or jsonb_path_exists(postrider.readable(f.payload), v_path, v_value, true))
        union
        select d.successor from postrider.delivery d join found f on f.id = d.message_id where d.successor is not null
    )
    select f.id from found f limit p_limit;
end
$$;
