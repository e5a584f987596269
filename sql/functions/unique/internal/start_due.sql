-- start_due(consumer_id, deliveries): start_serial() and start_keys() for deliveries that are about to be handed out, whose rows the
-- caller has locked. release_keys() makes a blocked serial job due.
-- Returns: the deliveries that can be handed out, in their order; null: none.
-- Touches: unique_job, delivery.
-- postrider: after start_serial, start_keys
create or replace function postrider.start_due(p_consumer_id int, p_deliveries bigint[]) returns bigint[]
    language plpgsql volatile
    as $$
declare
    v_seqs bigint[] := array(select d.seq from postrider.delivery d where d.id = any (p_deliveries) and d.unique_key is not null);
    v_blocked bigint[];
    v_held bigint[];
begin
    if v_seqs = '{}' then
        return p_deliveries;
    end if;
    v_blocked := postrider.start_serial(p_consumer_id, v_seqs);
    perform postrider.start_keys(v_seqs);
    with held as (
        update postrider.delivery d set available_at = 'infinity'
        where d.id = any (p_deliveries) and d.seq = any (v_blocked)
        returning d.id
    )
    select array_agg(h.id) into v_held from held h;
    return (select array_agg(p.id order by p.n) from unnest(p_deliveries) with ordinality as p(id, n)
            where (p.id = any (v_held)) is not true);
end
$$;
