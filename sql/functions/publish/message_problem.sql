-- message_problem(…): the problem of a message that is to be published, found before a constraint fails.
-- The arguments are publish()'s: p_payload, p_headers and p_metadata its documents, p_keys its idempotency key, ordering key,
-- partition key, trace context and content class.
-- Returns: null for a valid message; otherwise a SQLSTATE and a sentence, as 'PR002 the payload …'.
--
-- The callers' search_path is pinned. In PL/pgSQL, which caches its plan: an SQL function that cannot be inlined is planned
-- again in every transaction, which takes longer than publishing.
-- postrider: grant producer
create or replace function postrider.message_problem(
    p_event_type text, p_channel text, p_source text, p_target text, p_payload jsonb, p_headers jsonb,
    p_metadata jsonb, p_keys text[], p_priority int, p_max_attempts int
) returns text
    language plpgsql immutable parallel safe
    as $$
begin
    return case
        when coalesce(p_event_type, '') = '' then 'PR001 event_type is missing'
        when pg_catalog.octet_length(p_event_type) > 255 then 'PR002 event_type must have at most 255 bytes'
        when coalesce(p_channel, '') = '' then 'PR001 channel must not be empty'
        when pg_catalog.octet_length(p_channel) > 63 then 'PR002 channel must have at most 63 bytes'
        when pg_catalog.octet_length(p_source) > 255 then 'PR002 source must have at most 255 bytes'
        when p_target = '' then 'PR001 target must not be empty; leave it out to address every consumer'
        when pg_catalog.octet_length(p_target) > 255 then 'PR002 target must have at most 255 bytes'
        when pg_catalog.pg_column_size(p_payload) > 1048576 then
            'PR002 payload must have at most 1048576 bytes; store larger documents elsewhere and publish a reference'
        when pg_catalog.pg_column_size(p_headers) > 65536 then 'PR002 headers must have at most 65536 bytes'
        when pg_catalog.pg_column_size(p_metadata) > 65536 then 'PR002 metadata must have at most 65536 bytes'
        when pg_catalog.octet_length(p_keys[1]) > 255 then 'PR002 idempotency_key must have at most 255 bytes'
        when pg_catalog.octet_length(p_keys[2]) > 255 then 'PR002 ordering_key must have at most 255 bytes'
        when pg_catalog.octet_length(p_keys[3]) > 255 then 'PR002 partition_key must have at most 255 bytes'
        when pg_catalog.octet_length(p_keys[4]) > 255 then 'PR002 trace_context must have at most 255 bytes'
        when pg_catalog.octet_length(p_keys[5]) > 255 then 'PR002 content_class must have at most 255 bytes'
        when p_priority not between -100 and 100 then 'PR001 priority must be between -100 and 100'
        when p_max_attempts not between 1 and 1000 then 'PR001 max_attempts must be between 1 and 1000'
    end;
end
$$;
