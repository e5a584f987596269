-- wants(consumer, all_types, exact_types, type_prefixes, target, event_type): whether a message is for a consumer:
-- published to it by name, or without a target and of a type that one of its handlers takes.
create or replace function postrider.wants(
    p_consumer text, p_all_types boolean, p_exact_types text[], p_type_prefixes text[],
    p_target text, p_event_type text
) returns boolean
    language sql immutable parallel safe
    as $$
    select case when p_target is null
                then p_all_types or p_event_type = any (p_exact_types) or p_event_type like any (p_type_prefixes)
                else p_target = p_consumer end
    $$;
