-- lock_claims_of(ids): takes the claim locks of the consumers that can have a job of these messages, and of no other.
-- Raises: 55P03 as take_claim_locks(). Touches: message, delivery, consumer (read).
-- postrider: after take_claim_locks
create or replace function postrider.lock_claims_of(p_ids uuid[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform postrider.take_claim_locks(array(
        select o.id from postrider.consumer o
        where o.channel in (select m.channel from postrider.message m where m.id = any (p_ids))
           or o.id in (select d.consumer_id from postrider.delivery d where d.message_id = any (p_ids))));
end
$$;
