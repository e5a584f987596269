-- require_unread_copy(operation, deliveries): refuses dead letters whose copy in <queue>_dlq a reader has.
-- Raises: PR012.
-- postrider: after read_pgmq_copies
create or replace function postrider.require_unread_copy(p_operation text, p_deliveries bigint[]) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_read bigint[] := postrider.read_pgmq_copies(p_deliveries);
    k postrider.pgmq_copy;
begin
    if v_read <> '{}' then
        select * into k from postrider.pgmq_copy where delivery_id = v_read[1];
        raise exception using errcode = 'PR012',
            message = format('%s: a reader of the queue %s_dlq has message %s', p_operation, k.queue, k.msg_id),
            hint = 'It may be about to send it to the live queue. Try again when the message is visible there.';
    end if;
end
$$;
