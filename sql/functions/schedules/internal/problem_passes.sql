-- problem_passes(sqlstate): whether an error is transient, so that a slot that could not be fired can fire later without a change
-- of its schedule: conflicts, full disks, locks, shutdowns and a database that takes no messages at all. The refusal of a message
-- is permanent, and so is 54001: a document that is nested too deeply for the server's stack.
create or replace function postrider.problem_passes(p_sqlstate text) returns boolean
    language sql immutable parallel safe
    as $$
    select pg_catalog.left(p_sqlstate, 2) in ('08', '25', '40', '53', '54', '55', '57', '58', 'XX') and p_sqlstate <> '54001'
        or p_sqlstate like 'PR%' and p_sqlstate not in ('PR001', 'PR002')
    $$;
