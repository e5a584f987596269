-- limit_key(handler, field, workspace_id, ordering_key, partition_key, source, event_type): which limit a message counts for: the handler, a
-- blank and the value of the field that is the key of the handler's limit. Messages without that field are of the key ''.
-- One expression, which is inlined.
create or replace function postrider.limit_key(
    p_handler text, p_field text, p_workspace_id uuid, p_ordering_key text, p_partition_key text, p_source text, p_event_type text
) returns text
    language sql immutable parallel safe
    as $$
    select p_handler || ' ' || coalesce(case p_field when 'workspace_id' then p_workspace_id::text
                                                     when 'ordering_key' then p_ordering_key
                                                     when 'partition_key' then p_partition_key
                                                     when 'source' then p_source
                                                     when 'event_type' then p_event_type end, '')
    $$;
