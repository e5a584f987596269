-- set_message(name, message, members, failed): the message of a set as it is published when its members have ended, without an id.
create or replace function postrider.set_message(p_name text, p_message jsonb, p_members bigint, p_failed bigint) returns jsonb
    language sql immutable parallel safe
    as $$
    select p_message || pg_catalog.jsonb_build_object(
        'source', coalesce(nullif(p_message ->> 'source', ''), 'set:' || p_name),
        'headers', coalesce(nullif(p_message -> 'headers', 'null'), '{}')
                   || pg_catalog.jsonb_build_object('set', p_name, 'members', p_members, 'failed', p_failed))
    $$;
