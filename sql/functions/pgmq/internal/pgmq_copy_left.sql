-- pgmq_copy_left(): trigger of the queues <queue>_dlq: a message that leaves one by pgmq's functions discards its dead letter, in the same
-- transaction. The reader has handled, moved or deleted the message, so Postrider must not run it again. The trigger's argument is the
-- live queue. It runs with the rights of postrider_owner: the right to delete from <queue>_dlq is the right to discard its dead letters.
-- It waits for a concurrent replay or discard of the dead letter, which does not wait for the message (drop_pgmq_copy()).
-- Touches: the tables that discard() touches; pgmq_copy (read).
-- postrider: after discard
create or replace function postrider.pgmq_copy_left() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_ids bigint[];
    v_id bigint;
begin
    if tg_op = 'DELETE' then
        v_ids := array(select k.delivery_id from postrider.pgmq_copy k join postrider.delivery d on d.id = k.delivery_id
                       where k.queue = tg_argv[0] and k.msg_id = old.msg_id and d.message_id::text = old.headers ->> 'ce_id');
    else
        v_ids := array(select k.delivery_id from postrider.pgmq_copy k where k.queue = tg_argv[0] and k.msg_id is not null order by 1);
    end if;
    foreach v_id in array v_ids loop
        perform from postrider.delivery d where d.id = v_id for update;
        if exists (select from postrider.pgmq_copy k where k.delivery_id = v_id) then
            perform postrider.discard(
                jsonb_build_object('deliveries', jsonb_build_array(v_id)), session_user, format('taken from the queue %s_dlq', tg_argv[0]));
        end if;
    end loop;
    return null;
end
$$;
