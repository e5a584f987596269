-- schedule_figures(now): the schedules in numbers: how many there are and how many are paused; how many slots were fired, late and
-- skipped since they were defined; and for how long the oldest slot has been due, which is 0 while workers fire them in time.
-- Touches: schedule (read).
create or replace function postrider.schedule_figures(p_now timestamptz) returns jsonb
    language sql stable
    set search_path = pg_catalog, pg_temp
    as $$
    select jsonb_build_object(
        'schedules', count(*), 'paused', count(*) filter (where s.paused), 'fired', coalesce(sum(s.fired), 0),
        'late', coalesce(sum(s.late), 0), 'skipped', coalesce(sum(s.skipped), 0),
        'overdue_s', round(greatest(0, extract(epoch from p_now - min(s.next_at) filter (where not s.paused))), 3))
    from postrider.schedule s
    $$;
