-- run_ended(runs, succeeded, watch): applies the consequences of decisions on runs, in the same transaction. A cycle that
-- died raises one alert, the outcome of a cycle that a replay started is recorded in its item, and the handlers' circuits
-- are updated.
-- p_succeeded: handlers with other first attempts that succeeded. p_watch false: the circuits are not updated.
-- Touches: alert, alert_sending, replay_item, circuit, consumer.
-- postrider: after raise_alerts, circuit_report
create or replace function postrider.run_ended(
    p_runs postrider.ended_run[], p_succeeded text[], p_watch boolean
) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_dead bigint[];
    v_replayed boolean := false;
    v_watched boolean := false;
    v_until constant timestamptz := clock_timestamp() + interval '0.5 seconds';  -- for all circuits, which are locked meanwhile
    e postrider.ended_run;
begin
    foreach e in array coalesce(p_runs, '{}') loop
        if e.status = 'failed' then
            v_dead := v_dead || e.id;
        end if;
        v_replayed := v_replayed or (e.replay_id is not null and e.status <> 'pending');
        v_watched := v_watched or e.watched or (e.kind = 'transient' and e.handler <> all (coalesce(p_succeeded, '{}')));
    end loop;
    if v_dead is not null then
        perform postrider.raise_alerts(v_dead);
    end if;
    if v_replayed then
        update postrider.replay_item i
        set outcome = r.status, ended_at = clock_timestamp()
        from unnest(p_runs) r
        where i.replay_id = r.replay_id and i.delivery_id = r.id and r.status <> 'pending'
          and i.outcome is not distinct from 'moved';  -- so that the plan uses the primary key and does not scan all moved items
    end if;
    if v_watched and p_watch then
        perform postrider.circuit_report(array_agg(row(
            w.consumer_id, w.handler, w.delivered, w.transient, w.crashed, w.other, w.handler = any (p_succeeded), w.error_class,
            w.error, w.failed, w.first_failed, w.failed_before_at,
            v_until)::postrider.circuit_runs))
        -- A delivery that is reported twice counts once.
        from (select r.consumer_id, r.handler,
                     coalesce(array_agg(r.id) filter (where r.kind = 'delivered'), '{}') as delivered,
                     coalesce(array_agg(distinct r.id) filter (where r.kind = 'transient'), '{}') as transient,
                     coalesce(array_agg(r.id) filter (where r.kind = 'crashed'), '{}') as crashed,
                     coalesce(array_agg(r.id) filter (where r.kind not in ('delivered', 'transient', 'crashed')), '{}') as other,
                     max(r.error_class) as error_class, max(r.error) as error,
                     coalesce(sum(r.runs) filter (where r.kind = 'transient'), 0)::int as failed,
                     count(distinct r.id) filter (where r.kind = 'transient' and r.failed_before_at is null)::int as first_failed,
                     max(r.failed_before_at) filter (where r.kind = 'transient') as failed_before_at
              from unnest(p_runs) r
              group by r.consumer_id, r.handler) w;
    end if;
end
$$;
