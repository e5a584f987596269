-- add_to_set(name, members): publishes further members of a set, in the transaction that published the set.
-- p_members is publish_many()'s array of messages. Each needs a target, a consumer that exists: a member ends when it has ended for
-- all handlers of that consumer. Members wait like messages with an available_at.
-- Returns: the ids of the members, in their order.
-- Raises: PR001 and PR002 as publish_many(), PR001 without a target, PR003 unknown consumer, PR014 no such set, PR012 when another
--   transaction published it.
-- Touches: set_member, message; job_set, consumer (read).
-- postrider: grant producer
-- postrider: after insert_member, message_keys, unknown_key
create or replace function postrider.add_to_set(p_name text, p_members jsonb) returns uuid[]
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_most constant int := 10000;
    v_keys constant text[] := postrider.message_keys();
    v_ids uuid[] := '{}';
    v_problem text;
    s record;
    e record;
begin
    if jsonb_typeof(p_members) is distinct from 'array' then
        raise exception using errcode = 'PR001', message = 'add_to_set: members must be a JSON array of messages';
    elsif jsonb_array_length(p_members) > v_most then
        raise exception using errcode = 'PR002',
            message = format('add_to_set: %s members in one call, the limit is %s', jsonb_array_length(p_members), v_most),
            hint = 'Call it several times in the transaction.';
    end if;
    select j.id, j.xid = pg_current_xact_id() as own into s
    from postrider.job_set j where j.name = p_name and j.completed_at is null;
    if not found then
        raise exception using errcode = 'PR014', message = format('add_to_set: there is no open set %L', left(p_name, 128));
    elsif not s.own then
        raise exception using errcode = 'PR012',
            message = format('add_to_set: another transaction published the set %s; its commit closed the set', p_name),
            hint = 'Publish another set, or all members in one transaction.';
    end if;
    for e in select m.item, m.n from jsonb_array_elements(p_members) with ordinality as m(item, n) order by m.n loop
        v_problem := case when jsonb_typeof(e.item) <> 'object' then 'is not an object'
                          else postrider.unknown_key(e.item, v_keys, 'a message') end;
        if v_problem is not null then
            raise exception using errcode = 'PR001', message = format('add_to_set: member %s: %s', e.n, v_problem);
        end if;
        v_ids := v_ids || postrider.insert_member(s.id, e.n, e.item);
    end loop;
    return v_ids;
end
$$;
