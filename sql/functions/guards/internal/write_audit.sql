-- write_audit(actor, action, reason, filter, before, after): records an operator's action, in the same transaction.
-- Raises: PR001 without an actor or a reason.
-- Large documents are recorded as audit_document() says.
-- Touches: audit (insert).
-- postrider: after audit_document
create or replace function postrider.write_audit(
    p_actor text, p_action text, p_reason text, p_filter jsonb default null, p_before jsonb default null,
    p_after jsonb default null
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if coalesce(btrim(p_actor), '') = '' or coalesce(btrim(p_reason), '') = '' then
        raise exception using errcode = 'PR001', message = format('%s: an actor and a reason are required', p_action),
            hint = 'Pass both: the audit records them.';
    end if;
    insert into postrider.audit (actor, action, reason, filter, before, after)
    values (left(p_actor, 255), p_action, left(p_reason, 4000), postrider.audit_document(p_filter), postrider.audit_document(p_before),
            postrider.audit_document(p_after));
end
$$;
