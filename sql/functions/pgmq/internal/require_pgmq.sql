-- require_pgmq(queue): refuses a queue that dead letters cannot have copies for.
-- Raises: PR012 when pgmq is not installed in this database or has no headers, PR013 for a malformed name, PR014 for a queue that does
--   not exist.
create or replace function postrider.require_pgmq(p_queue text) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    as $$
begin
    if to_regclass('pgmq.meta') is null then
        raise exception using errcode = 'PR012', message = format('pgmq is not installed in the database %s', current_database()),
            hint = 'Run "create extension pgmq;" there, or pgmq''s SQL file where the extension is not available; then call it again.';
    elsif to_regprocedure('pgmq.send(text,jsonb,jsonb)') is null then
        raise exception using errcode = 'PR012', message = 'this version of pgmq does not support headers',
            hint = 'Version 1.5 or later is needed: alter extension pgmq update;';
    elsif coalesce(p_queue, '') !~ '^[a-z0-9_]{1,43}$' then
        raise exception using errcode = 'PR013', message = format('invalid queue name %L', p_queue),
            hint = 'Use 1 to 43 of a-z, 0-9 and "_": with "_dlq" pgmq allows 47.';
    elsif to_regclass(format('pgmq.%I', 'q_' || p_queue)) is null then
        raise exception using errcode = 'PR014', message = format('pgmq has no queue %s', p_queue),
            hint = format('select pgmq.create(%L);', p_queue);
    end if;
end
$$;
