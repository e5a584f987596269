-- require_new_numbers(seq, home): refuses to publish under a number that the log may have already. The log came here by
-- logical replication, which does not copy sequences. p_home: rebase() has run since. A connection that was refused before
-- still has cached numbers that it drew then.
-- Raises: PR006 when a message, a delivery or an epoch from before the move has this number or a higher one.
-- Touches: message, delivery, epoch, channel, consumer (read).
-- postrider: after channel_names
create or replace function postrider.require_new_numbers(p_seq bigint, p_home boolean) returns void
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set max_parallel_workers_per_gather = 0
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    v_own xid8 := pg_current_xact_id_if_assigned();
    v_highest bigint;
begin
    if p_home then
        if p_seq < (select e.first_seq from postrider.epoch e where e.rebased_at is not null
                    order by e.rebased_at desc limit 1) then
            raise exception using errcode = 'PR006',
                message = format('this connection holds message numbers from before the log was rebased: %s', p_seq),
                hint = 'Reconnect (or: discard sequences), then publish again.';
        end if;
        return;
    end if;
    -- Once a message is published here, its transaction has left an epoch that is not rebased: newer messages do not count.
    select greatest(
        (select max(d.seq) from postrider.delivery d),
        (select max(e.first_seq) from postrider.epoch e where e.rebased_at is not null),
        (select max(m.seq)
         from postrider.channel_names c
         cross join lateral (select l.seq from postrider.message l
                             where l.channel = c.name and l.xid is distinct from v_own
                             order by l.xid desc, l.seq desc limit 1) m
         where not exists (select from postrider.epoch e where e.rebased_at is null)))
    into v_highest;
    if p_seq <= v_highest then
        raise exception using errcode = 'PR006',
            message = format('the log was copied to this database cluster without its sequences: message %s would get the number %s again',
                             v_highest, p_seq),
            hint = 'Run: postrider rebase (or: select * from postrider.rebase()), then publish again.';
    end if;
end
$$;
