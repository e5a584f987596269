-- due(worker, outcome): claims due deliveries, ends all of them with the outcome, and returns their numbers.
create function promise.due(p_worker uuid, p_outcome text default 'delivered') returns int[]
    language plpgsql
    as $$
declare
    d record;
begin
    select array_agg((c.payload ->> 'n')::int) as numbers,
           jsonb_agg(jsonb_build_object('delivery', c.delivery_id, 'token', c.lease_token, 'outcome', p_outcome)) as outcomes
    into d from postrider.claim_due(p_worker, 10) c;
    perform postrider.settle_due(p_worker, d.outcomes) where d.outcomes is not null;
    return d.numbers;
end
$$;
