-- tally_dead(): trigger that keeps the ledger dead_letter_tally, and copies in pgmq, when any statement makes a dead letter or ends one. The
-- conditions of the triggers limit it to dead letters. They are short, because every statement evaluates them.
-- Only dead letters of messages from brokers can have copies in pgmq. The copies stay when the dead letters are removed with their consumer.
-- postrider: after send_pgmq_copy, drop_pgmq_copy
create or replace function postrider.tally_dead() returns trigger
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_was_dead boolean := false;
    v_dead boolean := false;
begin
    if tg_op = 'TRUNCATE' then
        delete from postrider.dead_letter_tally;
        delete from postrider.dead_letter_sum;
        return null;
    end if;
    if tg_op = 'UPDATE' and (old.status, old.deleted_at, old.consumer_id, old.handler, old.fingerprint)
                            is not distinct from (new.status, new.deleted_at, new.consumer_id, new.handler, new.fingerprint) then
        return null;
    end if;
    if tg_op <> 'INSERT' and old.status = 'failed' and old.deleted_at is null then
        insert into postrider.dead_letter_tally (consumer_id, handler, fingerprint, event_type, change)
        values (old.consumer_id, old.handler, old.fingerprint, old.event_type, -1);
        v_was_dead := true;
    end if;
    if tg_op <> 'DELETE' and new.status = 'failed' and new.deleted_at is null then
        insert into postrider.dead_letter_tally (consumer_id, handler, fingerprint, event_type, change)
        values (new.consumer_id, new.handler, new.fingerprint, new.event_type, 1);
        v_dead := true;
    end if;
    if tg_op <> 'DELETE' and v_dead <> v_was_dead and (new.channel = 'broker' or new.origin_id is not null) then
        if not exists (select from postrider.pgmq_pipeline p where p.consumer_id = coalesce(new.origin_id, new.consumer_id)) then
            return null;
        elsif v_dead then
            perform postrider.send_pgmq_copy(new);
        else
            perform postrider.drop_pgmq_copy(new.id);
        end if;
    end if;
    return null;
end
$$;

create or replace trigger delivery_tally_insert after insert on postrider.delivery for each row
    when (new.dead_at is not null)
    execute function postrider.tally_dead();
create or replace trigger delivery_tally_update after update on postrider.delivery for each row
    when (coalesce(old.dead_at, new.dead_at) is not null)
    execute function postrider.tally_dead();
create or replace trigger delivery_tally_delete after delete on postrider.delivery for each row
    when (old.dead_at is not null)
    execute function postrider.tally_dead();
create or replace trigger delivery_tally_truncate after truncate on postrider.delivery for each statement
    execute function postrider.tally_dead();
