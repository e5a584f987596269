-- throttled_row(consumer_id, aside, message): the row of a message that waits for a limit of its handler; aside is set_aside()'s.
-- One expression, which is inlined.
-- postrider: after limit_key
create or replace function postrider.throttled_row(p_consumer_id int, p_aside postrider.aside, p_message postrider.message)
    returns postrider.waiting
    language sql immutable
    as $$
    select row(-p_consumer_id, (p_message).priority, (p_message).unique_key is not null or (p_message).set_id is not null,
               coalesce((p_message).available_at, (p_message).published_at), (p_message).seq, (p_message).xid,
               (p_message).published_at,
               postrider.limit_key((p_aside).throttled, (p_aside).key, (p_message).workspace_id, (p_message).ordering_key,
                                   (p_message).partition_key, (p_message).source, (p_message).event_type),
               null)::postrider.waiting
    $$;
