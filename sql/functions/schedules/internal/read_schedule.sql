-- read_schedule(name, definition): the schedule that a definition describes, with defaults for missing keys: UTC, overlap allow, a
-- catch-up window of an hour, no jitter.
-- Returns: the schedule with its first slot behind now.
-- Raises: PR013 for a bad name, PR001 for an unknown key or a value that cannot be used, PR002 for one that is too large.
-- postrider: after require_keys, require_time_zone, require_publishable, parse_cron, next_slot, slot_at
create or replace function postrider.read_schedule(p_name text, p_definition jsonb) returns postrider.schedule
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    as $$
declare
    s postrider.schedule;
begin
    if p_name is null or p_name !~ '^[a-z0-9_][a-z0-9_.-]{0,126}$' then
        raise exception using errcode = 'PR013', message = format('invalid schedule name %L', left(p_name, 128)),
            hint = 'Use 1 to 127 of a-z, 0-9, "_", "-" and "."';
    elsif jsonb_typeof(p_definition) is distinct from 'object' then
        raise exception using errcode = 'PR001', message = 'define_schedule: expects a JSON object with cron and message';
    end if;
    perform postrider.require_keys(p_definition, '{cron,message,time_zone,overlap,catch_up,jitter}', 'a schedule');
    s.name := p_name;
    s.cron := p_definition ->> 'cron';
    s.time_zone := coalesce(p_definition ->> 'time_zone', 'UTC');
    s.message := p_definition -> 'message';
    s.overlap := coalesce(p_definition ->> 'overlap', 'allow');
    begin
        s.catch_up := coalesce(p_definition ->> 'catch_up', '1 hour');
        s.jitter := coalesce(p_definition ->> 'jitter', '0');
    exception when data_exception then
        raise exception using errcode = 'PR001', message = 'define_schedule: catch_up and jitter are intervals: ' || sqlerrm;
    end;
    if s.overlap not in ('allow', 'skip', 'queue_one') then
        raise exception using errcode = 'PR001',
            message = format('define_schedule: overlap must be allow, skip or queue_one, got %L', left(s.overlap, 64));
    elsif s.catch_up not between interval '10 seconds' and interval '366 days' then
        raise exception using errcode = 'PR001',
            message = format('define_schedule: catch_up must be between 10 seconds and 366 days, got %s', s.catch_up);
    elsif s.jitter not between interval '0' and interval '1 day' then
        raise exception using errcode = 'PR001',
            message = format('define_schedule: jitter must be between 0 and 1 day, got %s', s.jitter);
    end if;
    perform postrider.require_time_zone(s.time_zone);
    -- The slot determines these fields.
    perform postrider.require_publishable('define_schedule', s.message, '{id,occurred_at,available_at,idempotency_key}');
    s.parsed := postrider.parse_cron(s.cron);
    s.next_slot := postrider.next_slot(s.parsed, s.time_zone, clock_timestamp());
    if s.next_slot is null then
        raise exception using errcode = 'PR001', message = format('define_schedule: %L never fires', s.cron),
            hint = 'No date matches its day and month.';
    end if;
    s.next_at := postrider.slot_at(s.name, s.next_slot, s.jitter);
    return s;
end
$$;
