-- require_status(operation, deliveries, status): locks deliveries that an operator is about to change, in the order of their
-- ids, and refuses when one has another status.
-- Raises: PR001 without deliveries, PR014 for one that does not exist, PR012 for one that is not in the status.
create or replace function postrider.require_status(p_operation text, p_deliveries bigint[], p_status text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_problem text;
    v_found int;
begin
    if coalesce(cardinality(p_deliveries), 0) = 0 then
        raise exception using errcode = 'PR001', message = format('%s: name at least one delivery', p_operation);
    end if;
    select count(*),
           min(format('%s: delivery %s is %s, not %s', p_operation, d.id,
                      case when d.deleted_at is null then d.status else 'discarded' end, p_status))
               filter (where d.status <> p_status or d.deleted_at is not null)
    into v_found, v_problem
    from (select * from postrider.delivery where id = any (p_deliveries) order by id for update) d;
    if v_problem is not null then
        raise exception using errcode = 'PR012', message = v_problem;
    elsif v_found < (select count(distinct i) from unnest(p_deliveries) i) then
        raise exception using errcode = 'PR014', message = format('%s: a given delivery does not exist', p_operation);
    end if;
end
$$;
