-- message_keys(): the keys that a message in JSON may have, see publish_many(). The most frequent keys come first, because the list is
-- searched from the left.
-- postrider: grant producer
create or replace function postrider.message_keys() returns text[]
    language sql immutable parallel safe
    as $$
    select '{event_type,payload,source,idempotency_key,channel,id,target,ordering_key,trace_context,headers,metadata,partition_key,
             workspace_id,occurred_at,available_at,priority,event_version,generation,content_class,max_attempts}'::pg_catalog.text[]
    $$;
