-- insertion_time(): when a row is inserted. It reads the clock, but is declared stable: COPY inserts rows one by one if a
-- default is volatile, which halves its speed.
-- postrider: grant producer
create or replace function postrider.insertion_time() returns timestamptz
    language plpgsql stable parallel safe
    as $$ begin return pg_catalog.clock_timestamp(); end $$;
