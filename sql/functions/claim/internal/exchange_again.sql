-- exchange_again(…): exchange_packed() with the same arguments, for a claim without a cursor. With a limit of 0 it only settles.
-- Otherwise the worker has moved to another consumer, another database user registered it, or there is no lease with the given id:
-- the session drops its cached worker, and settle() and the next claim make all checks again.
-- Returns, raises, touches: as exchange_packed().
-- postrider: after settle
create or replace function postrider.exchange_again(
    p_worker uuid, p_limit int, p_lease bigint, p_token uuid, p_delivered bigint[], p_failures jsonb, p_deadline interval,
    p_keep boolean
) returns setof postrider.handed_out
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_settled text;
begin
    if p_lease is not null then
        v_settled := postrider.settle(p_worker, p_lease, p_token, p_delivered, p_failures);
    end if;
    if p_limit = 0 then
        return next row(v_settled, 0, null::bigint, null::uuid, null::bytea);
        return;
    end if;
    perform set_config('postrider.worker', '', false);
    return query
    select coalesce(h.settled, case when h.parked is not null then v_settled end), h.parked, h.lease_id, h.lease_token, h.messages
    from postrider.exchange_packed(p_worker, p_limit, p_deadline => p_deadline, p_keep => p_keep) h;
end
$$;
