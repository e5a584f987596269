-- doorbell_wake(channel): the keeper is awake again; producers need not ring any more.
-- Touches: the session-level advisory lock of doorbell_sleep; does nothing when it is not held.
create or replace function postrider.doorbell_wake(p_channel text) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    -- Letting go of what is not held is a warning.
    set client_min_messages = error
    as $$
begin
    while pg_advisory_unlock(1886351201, hashtext(p_channel)) loop
        null;  -- once for every time it was taken
    end loop;
end
$$;
