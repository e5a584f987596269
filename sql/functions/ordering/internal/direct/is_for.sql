-- is_for(cursor, message): whether a message is for the consumer of a cursor, and does not wait for a time or by its priority.
-- One expression, so that it is inlined.
-- postrider: after wants
create or replace function postrider.is_for(p_cursor postrider.claim_cursor, p_message postrider.message) returns boolean
    language sql stable
    as $$
    select (p_message).priority = 0 and (p_message).available_at is null
       and postrider.wants((p_cursor).name, (p_cursor).all_types, (p_cursor).exact_types, (p_cursor).type_prefixes, (p_message).target,
                           (p_message).event_type)
    $$;
