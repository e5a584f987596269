-- Included by the files about dead letters.

-- die(worker, outcome, error, class): claims all messages and reports them as failed.
create procedure promise.die(
    p_worker uuid, p_outcome text default 'terminal', p_error text default 'no', p_class text default 'broken'
)
    language plpgsql
    as $$
declare
    l postrider.lease;
begin
    perform postrider.claim(p_worker, 10000);
    l := promise.newest_lease(p_worker);
    perform postrider.settle(p_worker, l.id, l.token, null, (
        select jsonb_agg(jsonb_build_object('seq', s, 'outcome', p_outcome, 'error', p_error, 'error_class', p_class))
        from unnest(l.members) s));
    commit;
end
$$;

-- run(worker, limit, outcome): claims due deliveries and reports the same outcome of each. Returns how many.
create function promise.run(p_worker uuid, p_limit int, p_outcome text, p_error text default null) returns int
    language plpgsql
    as $$
declare
    v_outcomes jsonb;
begin
    select jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', p_outcome, 'error', p_error))
    into v_outcomes from postrider.claim_due(p_worker, p_limit) c;
    if v_outcomes is null then
        return 0;
    end if;
    perform postrider.settle_due(p_worker, v_outcomes);
    return jsonb_array_length(v_outcomes);
end
$$;
