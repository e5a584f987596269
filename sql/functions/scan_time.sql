-- scan_time(): how long a claim passes over messages that are not for its consumer before it writes its cursor and returns, so
-- that no claim holds the consumer's lock for long and none of its progress is lost. Claims without pick() give up after a
-- quarter of it and leave the rest to pick(); a claim takes less than one and a half times as long. The library for the
-- server has the same bound. Constant and inlined, so that it costs nothing.
create or replace function postrider.scan_time() returns interval
    language sql immutable parallel safe
    as $$ select interval '100 milliseconds' $$;
