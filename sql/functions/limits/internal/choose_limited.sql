-- choose_limited(consumer_id, worker, handlers, want, now): choose_due() for a consumer with limits. It searches up to 20 times behind deliveries
-- whose keys are at their limit, which would otherwise block the deliveries of other keys (head-of-line blocking). When most of those
-- that it finds are, all of them are due again later, because they would be due again before it has passed over them.
-- Touches: the tables that choose_due() and admit_due() touch. The caller holds the claim lock.
-- postrider: after choose_due, limit_due, admit_due, postpone_throttled
create or replace function postrider.choose_limited(
    p_consumer_id int, p_worker uuid, p_handlers text[], p_want postrider.due_want, p_now timestamptz
) returns bigint[]
    language plpgsql volatile
    as $$
declare
    v_want postrider.due_want := p_want;
    v_postponed boolean := false;
    v_found bigint[];
    v_ids bigint[];
begin
    v_want.slots := postrider.limit_due(p_consumer_id, p_worker, p_handlers, p_want.slots, p_now);
    for i in 1..20 loop
        v_found := postrider.choose_due(p_consumer_id, p_handlers, v_want, p_now);
        exit when v_found is null;
        v_ids := postrider.admit_due(p_consumer_id, v_found, p_now);
        if not v_postponed and 2 * coalesce(cardinality(v_ids), 0) < cardinality(v_found) then
            perform postrider.postpone_throttled(p_consumer_id, p_handlers, v_ids, p_now);
            v_postponed := true;
        end if;
        exit when v_ids is not null;
    end loop;
    return v_ids;
end
$$;
