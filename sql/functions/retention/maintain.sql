-- maintain(): the periodic maintenance that every worker runs. It removes workers that died long ago, sums up the tally of dead letters and the items
-- of ended replays, cancels expired proposals, moves the next items of replays, removes unique keys whose period is over, retries sets whose message
-- was refused and missing copies of dead letters in pgmq, raises alerts of long queues behind ordering keys, runs a slice of retention and, unless
-- that dropped a partition, creates partitions ahead of time. An error in one step does not affect the others, and no step waits longer than
-- a second for a lock: rows that another transaction has locked are left to a later call.
-- The caller's transaction has to end soon: see end_soon().
-- Returns: one line per step that did something or failed; no rows when there was nothing to do.
-- postrider: grant worker, operator
-- postrider: after end_soon, forget_workers, count_replays, ensure_partitions, replay_change, replay_step, retention_run, sum_tally, expire_keys, complete_sets, keep_pgmq_copies, alert_backlogs
create or replace function postrider.maintain() returns setof text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set lock_timeout = '1s'
    as $$
declare
    v_step text;
    v_dropped boolean := false;
    r record;
begin
    perform postrider.end_soon();
    -- Making partitions and dropping them locks the log until the end of this transaction: one of them per call, and last.
    foreach v_step in array '{workers,tally,proposals,replays,counts,keys,sets,copies,followers,retention,partitions}'::text[] loop
        begin
            case v_step
            when 'workers' then
                return query select format('forgot %s workers', f) from postrider.forget_workers() f where f > 0;
            when 'tally' then
                return query select format('summed up %s changes of the tally of dead letters', e.count)
                             from postrider.sum_tally() as e(count) where e.count > 0;
            when 'proposals' then
                for r in
                    select p.id from postrider.replay p
                    where p.phase = 'proposed' and p.expires_at <= clock_timestamp()
                    order by p.id for no key update skip locked
                loop
                    perform postrider.replay_change(
                        r.id, '{proposed}', 'cancelled', 'replay_cancel', 'postrider', 'not approved in time');
                    return next format('replay %s: not approved in time', r.id);
                end loop;
            when 'replays' then
                for r in
                    select s.* from postrider.replay_step() s
                    where s.moved > 0 or s.skipped > 0 or s.again_at is null
                loop
                    return next format('replay %s: moved %s, skipped %s, is %s', r.replay, r.moved, r.skipped, r.phase);
                end loop;
            when 'counts' then
                return query select format('counted the items of %s replays', e) from postrider.count_replays() e where e > 0;
            when 'keys' then
                return query select format('removed %s unique keys whose period is over', k) from postrider.expire_keys() k where k > 0;
            when 'sets' then
                return query select format('completed %s sets', e.count) from postrider.complete_sets() as e(count) where e.count > 0;
            when 'copies' then
                return query select format('copied %s dead letters to pgmq', c.written) from postrider.keep_pgmq_copies() c where c.written > 0;
            when 'followers' then
                return query select format('raised %s alerts of blocked keys', a) from postrider.alert_backlogs() as a where a > 0;
            when 'retention' then
                for r in select * from postrider.retention_run() loop
                    v_dropped := v_dropped or r.action = 'dropped';
                    return next format('retention of %s: %s %s', r.entity, r.action, coalesce(r.detail, r.things::text));
                end loop;
            when 'partitions' then
                if not v_dropped then
                    begin
                        return query select 'made partition ' || e from postrider.ensure_partitions() as e;
                    exception when lock_not_available then
                        return next 'the log is busy: its next partitions are created later';
                    end;
                end if;
            end case;
        exception when others then
            -- Workers do not read the returned lines; an operator finds the warning in the server's log.
            raise warning 'maintain: %: %', v_step, sqlerrm;
            return next format('%s: %s', v_step, sqlerrm);
        end;
    end loop;
end
$$;
