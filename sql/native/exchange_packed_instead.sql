-- exchange_native(worker, limit, …): exchange_packed() under the name that workers have prepared a statement with, so that they
-- go on when native claims are turned off. It replaces the function in C and is never made where there was none.
-- Returns, raises, touches: as exchange_packed().
create or replace function postrider.exchange_native(
    p_worker uuid,
    p_limit int,
    p_lease bigint default null,
    p_token uuid default null,
    p_delivered bigint[] default null,
    p_failures jsonb default null,
    p_deadline interval default null
) returns setof postrider.handed_out
    language plpgsql volatile
    as $$
begin
    return query
        select * from postrider.exchange_packed(p_worker, p_limit, p_lease, p_token, p_delivered, p_failures, p_deadline);
end
$$;
