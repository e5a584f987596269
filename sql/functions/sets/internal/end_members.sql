-- end_members(seqs, lost): ends those of these messages that are members of a set and have ended, and completes sets that have no other.
-- A message has ended when no delivery of it waits or runs, and, in a set that dead members block, none is a dead letter.
-- p_lost: their consumer was removed.
-- While another transaction keeps the set locked they are only marked, and maintain() ends them, so that no role has to wait for a
-- transaction of another role for more than a second, for all sets together. So are those of the sets that are left after two seconds,
-- because callers hold claim locks. Called at the end of the transaction that ends them: the row of the set is the last lock that it takes, so
-- that transactions that end members of one set are serialized, and each sees the members that earlier ones ended.
-- Touches: set_member, set_mark, job_set and complete_set()'s tables; delivery (read).
-- postrider: after complete_set, lock_set
create or replace function postrider.end_members(p_seqs bigint[], p_lost boolean default false) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_stop constant timestamptz := clock_timestamp() + interval '2 seconds';
    v_until timestamptz;  -- of all waits together, from the first one on
    v_set bigint;
    v_seqs bigint[];      -- its messages
    v_dead text;
    v_ended bigint;
    v_failed bigint;
begin
    for v_set, v_seqs in select m.set_id, array_agg(m.seq) from postrider.set_member m where m.seq = any (p_seqs) group by 1 order by 1 loop
        if clock_timestamp() > v_stop then
            insert into postrider.set_mark (set_id, seq, lost)
            select m.set_id, m.seq, p_lost from postrider.set_member m where m.seq = any (p_seqs) and m.set_id >= v_set;
            exit;
        end if;
        select s.dead into v_dead from postrider.job_set s where s.id = v_set for no key update skip locked;
        if not found then
            v_until := coalesce(v_until, clock_timestamp() + interval '1 second');
            if not postrider.lock_set(v_set, v_until) then
                insert into postrider.set_mark (set_id, seq, lost)
                select v_set, q.seq, p_lost from unnest(v_seqs) as q(seq);
                continue;
            end if;
            v_dead := (select s.dead from postrider.job_set s where s.id = v_set);
        end if;
        with ended as (
            delete from postrider.set_member m
            where m.seq = any (v_seqs) and m.set_id = v_set
              and not exists (
                  select from postrider.delivery d
                  where d.seq = m.seq
                    and (d.status in ('pending', 'in_flight') or v_dead = 'blocks' and d.status = 'failed' and d.deleted_at is null))
            returning p_lost or exists (select from postrider.delivery d where d.seq = m.seq and d.status = 'failed') as failed
        )
        select count(*), count(*) filter (where e.failed) into v_ended, v_failed from ended e;
        continue when v_ended = 0;
        update postrider.job_set s set ended = s.ended + v_ended, failed = s.failed + v_failed where s.id = v_set;
        -- The newest first: members end roughly in the order in which they were published.
        perform from postrider.set_member m where m.set_id = v_set order by m.seq desc limit 1;
        if not found then
            perform postrider.complete_set(v_set);
        end if;
    end loop;
end
$$;
