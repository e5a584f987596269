-- figures(since): the state of the whole system, for dashboards: a JSON object with "figures" (the displayed values), "point"
-- (one point of their history) and "counters", which the next call takes as since to compute rates.
-- Rates: published_per_s counts insertions into the log as PostgreSQL's statistics report them, which can be late by some
--   seconds; delivered_per_s counts messages that the cursors passed, without those still owed or dead, so a message of
--   several handlers counts once; failed_per_s counts dead letters.
-- The holder of the horizon is not included, because that needs rights on pg_stat_activity; see xmin_holder().
-- postrider: grant operator, viewer, agent
-- postrider: after consumer_rates, doorbell_figures, schedule_figures, ordering_figures, limit_figures, partitions
create or replace function postrider.figures(p_since jsonb default null) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
    set timezone = 'UTC'
    as $$
declare
    v_now timestamptz := clock_timestamp();
    v_since timestamptz := p_since ->> 'at';
    v_seconds float8 := extract(epoch from v_now - v_since);
    v_inserted bigint;
    v_published float8;
    v_consumers jsonb;
    v_owed jsonb;
    v_places jsonb;
    v_totals jsonb;
    v_dead_rate float8;
begin
    if v_seconds <= 0 then
        v_seconds := null;
    end if;
    select sum(pg_stat_get_tuples_inserted(i.inhrelid)) into v_inserted
    from pg_inherits i where i.inhparent = 'postrider.message'::regclass;
    v_published := coalesce(greatest(v_inserted - (p_since ->> 'inserted')::bigint, 0) / v_seconds, 0);

    select coalesce(jsonb_agg(jsonb_build_object(
               'consumer', r.consumer, 'channel', r.channel, 'paused', r.paused, 'held', r.held, 'held_handlers', r.held_handlers,
               'handlers', r.handlers, 'workers', r.workers, 'backlog', r.backlog, 'backlog_exact', r.backlog_exact,
               'oldest_age_s', round(r.oldest_age_s::numeric, 3), 'behind_since', r.behind_since, 'in_flight', r.in_flight,
               'pending', r.pending, 'failed', r.failed, 'delivered_per_s', round(r.delivered_per_s::numeric, 3),
               'failed_per_s', round(r.failed_per_s::numeric, 3)) order by r.consumer, r.channel), '[]'),
           coalesce(jsonb_object_agg(r.consumer_id, r.owed), '{}'),
           coalesce(jsonb_object_agg(r.consumer_id, r.place) filter (where r.place is not null), '{}'),
           jsonb_build_object(
               'consumers', count(*), 'consumers_paused', count(*) filter (where r.paused), 'workers', coalesce(sum(r.workers), 0),
               'in_flight', coalesce(sum(r.in_flight), 0), 'deliveries_pending', coalesce(sum(r.pending), 0),
               'backlog', coalesce(sum(r.backlog), 0), 'backlog_exact', coalesce(bool_and(r.backlog_exact), true),
               'oldest_age_s', round(coalesce(max(r.oldest_age_s), 0)::numeric, 3), 'dead_letters', coalesce(sum(r.failed), 0),
               'delivered_per_s', round(coalesce(sum(r.delivered_per_s), 0)::numeric, 3),
               'failed_per_s', round(coalesce(sum(r.failed_per_s), 0)::numeric, 3))
    into v_consumers, v_owed, v_places, v_totals
    from postrider.consumer_rates(p_since, v_now, v_seconds) r;

    v_totals := v_totals || jsonb_build_object(
        'circuits_not_closed', (select count(*) from postrider.circuit k where k.state <> 'closed'),
        'replays_active', (select count(*) from postrider.replay r where r.ended_at is null),
        'alerts_unsent', (select count(*) from (select distinct s.alert_id from (select * from postrider.alert_sending limit 10000) s) a),
        'partitions', (select count(*) from pg_inherits i where i.inhparent = 'postrider.message'::regclass),
        'published_per_s', round(v_published::numeric, 3));
    return jsonb_build_object(
        'figures', jsonb_build_object(
            'at', v_now, 'server_version', current_setting('server_version'), 'totals', v_totals, 'consumers', v_consumers,
            'generations', (
                select coalesce(jsonb_agg(to_jsonb(g) order by g.consumer, g.channel, g.generation), '[]')
                from (select w.generation::text, c.channel, c.name as consumer, count(*) as workers,
                             array_agg(distinct w.version) as versions, min(w.started_at) as started_at
                      from postrider.worker w join postrider.consumer c on c.id = w.consumer_id
                      where w.alive_until > v_now group by 1, 2, 3) g),
            'doorbells', postrider.doorbell_figures(v_now),
            'schedules', postrider.schedule_figures(v_now),
            'ordering', postrider.ordering_figures(),
            'limits', postrider.limit_figures(),
            'notify', jsonb_build_object(
                'queue_usage', pg_notification_queue_usage(),
                -- A transaction that sent NOTIFY takes this lock, which belongs to no database, when it commits.
                'commit_waiters', (select count(*) from pg_locks l where l.locktype = 'object' and l.database = 0
                                   and l.classid = 'pg_database'::regclass and l.objid = 0 and not l.granted))),
        'point', jsonb_build_object(
            'at', v_now, 'published_per_s', v_totals -> 'published_per_s', 'delivered_per_s', v_totals -> 'delivered_per_s',
            'failed_per_s', v_totals -> 'failed_per_s', 'backlog', v_totals -> 'backlog', 'oldest_age_s', v_totals -> 'oldest_age_s',
            'dead_letters', v_totals -> 'dead_letters'),
        'counters', jsonb_build_object('at', v_now, 'inserted', v_inserted, 'owed', v_owed, 'places', v_places));
end
$$;
