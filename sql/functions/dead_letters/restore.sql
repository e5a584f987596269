-- restore(filter, actor, reason, expected): restores discarded dead letters during the grace of retention.
-- filter is dead_where()'s. expected: the number that a preview has shown. One that was discarded because it was edited and replayed stays discarded, and so does one
-- that was erased.
-- Returns: how many.
-- Raises: PR001 for an invalid filter or without actor and reason, PR012 when one that the filter names by its id
--   is not a discarded dead letter, when its grace is over, or when there are more than expected.
-- Touches: delivery, audit; retention_policy (read).
-- postrider: grant operator
-- postrider: after dead_where, require_dead, require_expected, write_audit, retention_of
create or replace function postrider.restore(p_filter jsonb, p_actor text, p_reason text, p_expected bigint default null) returns int
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '5s'
    as $$
declare
    v_where text := postrider.dead_where(p_filter, true);
    v_count int;
begin
    perform postrider.require_dead('restore', p_filter, true);
    execute format(
        'update postrider.delivery d set deleted_at = null, deleted_reason = null
         where %s and d.successor is null and d.error_class is distinct from ''erased''
           and d.deleted_at > clock_timestamp() - (select p.grace from postrider.retention_of(''dead_letter'', d.content_class) p)',
        v_where);
    get diagnostics v_count = row_count;
    if v_count = 0 and p_filter ?| '{ids,deliveries}' then
        raise exception using errcode = 'PR012',
            message = 'restore: the grace is over, it was replaced by an edited message, or it was erased';
    end if;
    perform postrider.require_expected('restore', p_expected, v_count);
    perform postrider.write_audit(
        p_actor, 'restore', p_reason, p_filter, null, jsonb_build_object('deliveries', v_count));
    return v_count;
end
$$;
