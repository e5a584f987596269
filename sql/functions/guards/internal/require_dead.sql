-- require_dead(operation, filter, discarded): refuses a filter that names deliveries or messages by their ids which are not
-- dead letters (or not discarded ones). One that only describes them may find none.
-- A filter with a workspace_id sees that workspace alone: an id of another workspace is refused like one that does not exist.
-- Raises: PR014 for an id that does not exist, PR012 for one in another state.
create or replace function postrider.require_dead(p_operation text, p_filter jsonb, p_discarded boolean) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_workspace uuid := p_filter ->> 'workspace_id';
    r record;
begin
    select n.subject, d.status, d.deleted_at into r
    from (select 'delivery ' || i as subject, i::bigint as delivery, null::uuid as message
          from jsonb_array_elements_text(coalesce(p_filter -> 'deliveries', '[]')) i
          union all
          select 'message ' || i, null, i::uuid from jsonb_array_elements_text(coalesce(p_filter -> 'ids', '[]')) i) n
    left join lateral (
        select e.status, e.deleted_at
        from (select d.status, d.deleted_at, d.workspace_id from postrider.delivery d where d.id = n.delivery
              union all
              select d.status, d.deleted_at, d.workspace_id from postrider.delivery d where d.message_id = n.message) e
        where v_workspace is null or e.workspace_id = v_workspace
        order by e.status = 'failed' desc, (e.deleted_at is not null) = p_discarded desc
        limit 1) d on true
    where d.status is distinct from 'failed' or (d.deleted_at is not null) <> p_discarded
    order by d.status is null desc
    limit 1;
    if not found then
        return;
    elsif r.status is null then
        raise exception using errcode = 'PR014', message = format('%s: there is no %s', p_operation, r.subject);
    end if;
    raise exception using errcode = 'PR012',
        message = format('%s: %s is %s', p_operation, r.subject,
                         case when r.deleted_at is not null then 'discarded' else r.status end);
end
$$;
