-- Consumers with many handlers, whose messages make many deliveries.

-- A worker of a consumer on a channel of the same name; N in the type is the number of the handler.
create function promise.wide(p_consumer text, p_handlers int, p_types text) returns uuid
    language sql
    as $$
    select promise.worker(p_consumer, jsonb_agg(jsonb_build_object('name', 'wide.h' || n, 'event_types', array[replace(p_types, 'N', n::text)])), p_consumer)
    from generate_series(1, p_handlers) n
    $$;
create function promise.copies(p_channel text) returns bigint
    language sql
    as $$ select count(*) from postrider.delivery where channel = p_channel $$;
