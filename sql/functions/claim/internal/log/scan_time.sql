-- scan_time(): how long a claim passes over messages that are not for its consumer before it writes its cursor and returns, so
-- that no claim holds the consumer's lock for long and none of its progress is lost. A claim without pick() stops after this
-- time and continues with pick(), which has the same time again. A native claim also stops, after at most 5,000 messages.
-- Constant and inlined, so that it costs nothing.
create or replace function postrider.scan_time() returns interval
    language sql immutable parallel safe
    as $$ select interval '100 milliseconds' $$;
