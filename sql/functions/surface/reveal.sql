-- reveal(message, delivery, workspace, actor, reason): shows payload, headers and metadata of a message, and records it in the
-- audit. With a delivery: of this dead letter, else of the message with this id. With a workspace: only if the message belongs to
-- it.
-- Returns: a JSON object {"payload", "headers", "metadata"}.
-- Raises: PR014 when there is no such message, PR001 without actor or reason.
-- Touches: audit.
-- postrider: grant operator
-- postrider: after write_audit, readable
create or replace function postrider.reveal(
    p_message uuid, p_delivery bigint, p_workspace uuid, p_actor text, p_reason text
) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_found jsonb;
begin
    if p_delivery is not null then
        select jsonb_build_object('payload', postrider.readable(d.payload),
                                  'headers', postrider.readable(d.headers), 'metadata', d.metadata)
        into v_found
        from postrider.delivery d
        where d.id = p_delivery and d.dead_at is not null and (p_workspace is null or d.workspace_id = p_workspace);
    else
        select f.found into v_found
        from (select jsonb_build_object('payload', postrider.readable(m.payload), 'headers', postrider.readable(m.headers),
                                        'metadata', m.metadata) as found
              from postrider.message m
              where m.id = p_message and (p_workspace is null or m.workspace_id = p_workspace)
              union all
              select jsonb_build_object('payload', postrider.readable(d.payload),
                                        'headers', postrider.readable(d.headers), 'metadata', d.metadata)
              from postrider.delivery d
              where d.message_id = p_message and (p_workspace is null or d.workspace_id = p_workspace)) f
        limit 1;
    end if;
    if v_found is null then
        raise exception using errcode = 'PR014', message = format(
            'there is no %s', case when p_delivery is null then format('message %s', coalesce(p_message::text, '(null)'))
                                   else format('dead letter %s', p_delivery) end);
    end if;
    perform postrider.write_audit(
        p_actor, 'reveal', p_reason,
        jsonb_strip_nulls(jsonb_build_object('ids', case when p_delivery is null then jsonb_build_array(p_message) end,
                                             'deliveries', case when p_delivery is not null then jsonb_build_array(p_delivery) end)));
    return v_found;
end
$$;
