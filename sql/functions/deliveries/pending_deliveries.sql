-- pending_deliveries(messages): the deliveries of messages that wait to be run, for bury() and reschedule(). A message that was published
-- with a priority or an available_at and was never handed out has none: it gets one for each handler that takes its type now.
-- Returns: the ids of the deliveries, empty when no message of these waits as a delivery.
-- Raises: PR005 outside READ COMMITTED, 55P03 as take_claim_locks().
-- Touches: waiting, lease, delivery; message, consumer, handler (read).
-- postrider: grant operator
-- postrider: after require_read_committed, take_claim_locks, note_all_waiting, materialise_waiting
create or replace function postrider.pending_deliveries(p_messages uuid[]) returns bigint[]
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '100ms'  -- claims of several roles wait meanwhile
    as $$
declare
    c record;
begin
    perform postrider.require_read_committed('pending_deliveries');
    perform postrider.take_claim_locks(array(
        select co.id
        from postrider.message m
        join postrider.consumer co on co.channel = m.channel and (m.target is null or m.target = co.name)
        where m.id = any (p_messages) and (m.priority <> 0 or m.available_at is not null)));
    for c in
        select co.id, array_agg(m.seq) as seqs
        from postrider.message m
        join postrider.consumer co on co.channel = m.channel and (m.target is null or m.target = co.name)
        where m.id = any (p_messages) and (m.priority <> 0 or m.available_at is not null)
        group by co.id
        order by co.id
    loop
        perform postrider.note_all_waiting(c.id);
        perform postrider.materialise_waiting(c.id, c.seqs);
    end loop;
    return array(select d.id from postrider.delivery d
                 where d.message_id = any (p_messages) and d.status = 'pending' and d.deleted_at is null
                 order by d.id);
end
$$;
