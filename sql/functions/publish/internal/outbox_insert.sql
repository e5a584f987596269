-- outbox_insert(): lets `insert into postrider.outbox (…)` publish. Only envelope columns may be given.
create or replace function postrider.outbox_insert() returns trigger
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if coalesce(new.status, 'pending') <> 'pending' or new.handler is not null or new.consumer is not null then
        raise exception using errcode = 'PR001',
            message = 'an insert into postrider.outbox publishes: status, consumer and handler are not the publisher''s',
            hint = 'Leave them out.';
    end if;
    new.id := postrider.publish(
        p_event_type => new.event_type, p_payload => new.payload, p_source => new.source,
        p_target => new.target, p_channel => coalesce(new.channel, 'outbox_default'), p_id => new.id,
        p_event_version => new.event_version, p_occurred_at => new.occurred_at,
        p_workspace_id => new.workspace_id, p_idempotency_key => new.idempotency_key,
        p_ordering_key => new.ordering_key, p_partition_key => new.partition_key,
        p_headers => new.headers, p_metadata => new.metadata, p_trace_context => new.trace_context,
        p_content_class => new.content_class, p_generation => new.generation,
        p_available_at => new.available_at, p_priority => new.priority, p_max_attempts => new.max_attempts);
    return new;
end
$$;
