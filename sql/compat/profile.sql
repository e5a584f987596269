-- profile(name): the policies of another system as one bundle, for a migration from it.
--   spectral       exponential backoff with full jitter, NOTIFY with every message, five attempts
--   open-outbox    the reference relay of the Open Outbox Specification: leases of three minutes, polling
--   pulse          a table of jobs: quadratic backoff, three attempts, leases of 30 seconds
--   pgmq-pipeline  a fixed minute between five attempts; no worker can declare a message dead. On a queue of pgmq, define_pgmq_pipeline()
--                  adds the sibling queue and the table for diagnostics
-- Returns: {"handler": …, "worker": …, "wake": …, "view": …}. `handler` is merged into an item of register_worker's
--   p_handlers; `worker` holds alive_ms (its p_alive_for), heartbeat_ms (never more than a third of it), reap_ms, poll_ms
--   (how often to look without being woken: while the listener is down, or always if `poll` is "always") and batch;
--   `wake` is set_wake's; `view` shows the outbox in the system's words.
-- Raises: PR001 for another name.
-- postrider: grant worker, operator, viewer, agent
create or replace function postrider.profile(p_name text) returns jsonb
    language plpgsql immutable parallel safe
    set search_path = pg_catalog, pg_temp
    as $$
declare
    v_profile jsonb := case p_name
        when 'spectral' then '{
            "handler": {"retry": {"curve": "exponential", "base_ms": 1000, "multiplier": 2, "cap_ms": 300000,
                                  "jitter": "full", "floor_ms": 100},
                        "max_attempts": 5, "max_crashes": 5, "honour_terminal": true},
            "worker": {"alive_ms": 30000, "heartbeat_ms": 10000, "reap_ms": 10000, "poll": "degraded", "poll_ms": 5000,
                       "batch": 10},
            "wake": "always", "view": "outbox"}'::jsonb
        when 'open-outbox' then '{
            "handler": {"retry": {"curve": "exponential", "base_ms": 1000, "multiplier": 2, "cap_ms": 300000,
                                  "jitter": "full", "floor_ms": 100},
                        "max_attempts": 5, "max_crashes": 5, "honour_terminal": true},
            "worker": {"alive_ms": 180000, "heartbeat_ms": 60000, "reap_ms": 30000, "poll": "always", "poll_ms": 500,
                       "batch": 100},
            "wake": "never", "view": "v_open_outbox"}'
        when 'pulse' then '{
            "handler": {"retry": {"curve": "quadratic", "base_ms": 1000}, "max_attempts": 3, "max_crashes": 3,
                        "honour_terminal": true},
            "worker": {"alive_ms": 30000, "heartbeat_ms": 10000, "reap_ms": 10000, "poll": "always", "poll_ms": 1000,
                       "batch": 10},
            "wake": "never", "view": "v_pulse"}'
        when 'pgmq-pipeline' then '{
            "handler": {"retry": {"curve": "fixed", "base_ms": 60000}, "max_attempts": 5, "max_crashes": 5,
                        "honour_terminal": false},
            "worker": {"alive_ms": 60000, "heartbeat_ms": 20000, "reap_ms": 30000, "poll": "always", "poll_ms": 30000,
                       "batch": 10},
            "wake": "never", "view": "v_pgmq"}'
    end;
begin
    if v_profile is null then
        raise exception using errcode = 'PR001', message = format('there is no profile %L', p_name),
            hint = 'Use spectral, open-outbox, pulse or pgmq-pipeline.';
    end if;
    return v_profile;
end
$$;
